import { join } from 'node:path';
import { type AgentEnd } from '../../core/activity-contract';
import { NO_USAGE } from '../../core/money';
import { type AttemptRecord, type ExitRecord, type ModelTraffic } from '../../core/run';
import { readJson } from '../sandbox/attempt-state';
import { writeOnce } from '../sandbox/durable-file';
import { type AttemptContext } from './attempt-context';

/** `control/agent-end.json`: how the agent ended, interpreted once. Everything after it only reads. */
export interface RecordedEnd {
  readonly end: AgentEnd;
  readonly exit?: ExitRecord;
  readonly imageDigest?: string;
  readonly nativeTranscript?: string;
  readonly traffic: ModelTraffic;
}

/** Traffic of harnesses that ask no model. */
export const NO_TRAFFIC: ModelTraffic = {
  steps: 0,
  modelRequests: 0,
  auxiliaryRequests: 0,
  upstreamCalls: 0,
  toolCalls: 0,
  usage: NO_USAGE,
  costMicroUsd: 0,
  incomplete: false,
};

export async function readAgentEnd(context: AttemptContext): Promise<RecordedEnd | undefined> {
  return readJson(endPath(context));
}

/** Returns what is recorded: ours, or what another executor of this attempt recorded before. */
export async function writeAgentEnd(
  context: AttemptContext,
  recorded: RecordedEnd,
): Promise<RecordedEnd> {
  await writeOnce(endPath(context), JSON.stringify(recorded));
  return (await readAgentEnd(context)) ?? recorded;
}

/** The end of an attempt whose record is in the store already. */
export function endOfRecord(record: AttemptRecord): AgentEnd {
  return {
    stopReason: record.stopReason ?? 'error',
    ...(record.stopDetail !== undefined && { stopDetail: record.stopDetail }),
    steps: record.traffic?.steps ?? 0,
    costMicroUsd: record.traffic?.costMicroUsd,
  };
}

function endPath(context: AttemptContext): string {
  return join(context.paths.control, 'agent-end.json');
}
