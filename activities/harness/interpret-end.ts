import { type ExitRecord, type StopReason } from '../../core/run';
import { type GatewayEnd, type GatewayLog } from '../gateway/port';
import { type HarnessVerdict, type OurIntent } from './port';

/** What a harness itself says of its end, where it says anything. */
export interface HarnessWord {
  readonly stopReason: StopReason;
  readonly detail?: string;
}

/** All signs of one end. */
export interface EndSigns {
  readonly exit: ExitRecord | undefined;
  readonly intent: OurIntent;
  readonly gatewayLog: GatewayLog | undefined;
  readonly word: HarnessWord | undefined;
}

type Sign = (signs: EndSigns) => HarnessWord | undefined;

/** The first sign that says something decides: what we did, the gateway's word, the harness's word, the exit. */
const SIGNS: readonly Sign[] = [fromIntent, fromGateway, ({ word }) => word, fromExit];

/**
 * Why the agent ended. It never throws on strange signs, and without any sign the agent has completed: a harness that
 * exits with 0 and was refused nothing is done.
 */
export function interpretEnd(signs: EndSigns): HarnessVerdict {
  for (const sign of SIGNS) {
    const found = sign(signs);
    if (found !== undefined) return withCutOff(found, signs);
  }
  return withCutOff({ stopReason: 'completed' }, signs);
}

function fromIntent({ intent }: EndSigns): HarnessWord | undefined {
  switch (intent) {
    case 'timeout':
      return { stopReason: 'timeout', detail: 'the limit of working time' };
    case 'cancelled':
      return { stopReason: 'cancelled' };
    case 'disk':
      return { stopReason: 'error', detail: 'the workspace was full' };
    case undefined:
      return undefined;
  }
}

const GATEWAY_ENDS: Readonly<Record<GatewayEnd, HarnessWord | undefined>> = {
  step_cap: { stopReason: 'step_cap' },
  request_cap: { stopReason: 'step_cap', detail: 'the cap on model requests of any kind' },
  budget: { stopReason: 'budget', detail: "the attempt's cost cap" },
  tokens: { stopReason: 'budget', detail: "the attempt's token cap" },
  timeout: { stopReason: 'timeout', detail: 'the limit of working time' },
  // We close every attempt after its end.
  closed: undefined,
};

function fromGateway({ gatewayLog }: EndSigns): HarnessWord | undefined {
  if (gatewayLog === undefined) return undefined;
  const ended = gatewayLog.end && GATEWAY_ENDS[gatewayLog.end];
  if (ended !== undefined) return ended;
  if (gatewayLog.refused)
    return { stopReason: 'refused', detail: "the model's last reply was a refusal" };
  if (gatewayLog.lastError !== undefined) {
    const { status, message } = gatewayLog.lastError;
    return {
      stopReason: 'error',
      detail: `the last model request failed with HTTP ${status}: ${message}`,
    };
  }
  if (gatewayLog.emptyReply)
    return { stopReason: 'empty', detail: "the model's last reply was empty" };
  return undefined;
}

function fromExit({ exit }: EndSigns): HarnessWord | undefined {
  if (exit === undefined || exit.exitCode === 0) return undefined;
  if (exit.outOfMemory) return { stopReason: 'error', detail: 'out of memory' };
  const how = exit.signal === undefined ? `exit code ${exit.exitCode ?? 'unknown'}` : exit.signal;
  const limits = exit.limitsHit.length > 0 ? `; limits reached: ${exit.limitsHit.join(', ')}` : '';
  return { stopReason: 'error', detail: `the harness ended with ${how}${limits}` };
}

/** A last reply that hit the output limit is an outcome like any other, but readers should know. */
function withCutOff(word: HarnessWord, { gatewayLog }: EndSigns): HarnessVerdict {
  if (word.stopReason !== 'completed' || gatewayLog?.lastFinishReason !== 'length') return word;
  return { ...word, detail: 'the last reply was cut off at the output limit' };
}
