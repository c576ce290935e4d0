import { z } from 'zod';
import { type ExitRecord } from '../../core/run';
import { type AttemptPaths } from './attempt-paths';
import { readBelow } from './open-below';
import { type KillIntent } from './port';

const MAX_RECORD_BYTES = 64 * 1024;
const LOG_TAIL_BYTES = 16 * 1024;
const LOG_TAIL_LINES = 20;
const LOG_LINE_CHARACTERS = 500;
/** Less free space than this at the end means that the disk was full. */
const DISK_FULL_BYTES = 1024 ** 2;

/** The supervisor's last act, where nobody else in the sandbox can write. */
const endRecordSchema = z.object({
  v: z.literal(1),
  exitCode: z.number().int().nullable(),
  signal: z.string().max(20).nullable(),
  stopRequested: z.boolean(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime(),
  durationMs: z.number().nonnegative(),
  forwarderRestarts: z.number().int().nonnegative(),
  oomKills: z.number().int().nonnegative(),
  pidsRefused: z.number().int().nonnegative(),
  memoryPeakBytes: z.number().nullable(),
  diskFree: z.number().nullable(),
  network: z.object({
    refusedConnections: z.number().int().nonnegative(),
    namesAsked: z.array(
      z.object({ name: z.string().max(253), count: z.number().int().positive() }),
    ),
  }),
});
export type EndRecord = z.infer<typeof endRecordSchema>;

/** `undefined` when the supervisor did not come to its last act. */
export async function readEndRecord(paths: AttemptPaths): Promise<EndRecord | undefined> {
  const bytes = await readBelow(paths.supervisor, 'end.json', MAX_RECORD_BYTES);
  if (bytes === undefined) return undefined;
  try {
    return endRecordSchema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

/** What Docker says of a container that has stopped. */
export interface StoppedContainer {
  readonly exitCode: number;
  readonly outOfMemory: boolean;
  readonly startedAt: string;
  readonly finishedAt: string;
}

/** The facts of an end, from the supervisor's record where there is one, else from Docker's. */
export async function exitRecord(
  paths: AttemptPaths,
  record: EndRecord | undefined,
  stopped: StoppedContainer | undefined,
  intent: KillIntent | undefined,
): Promise<ExitRecord> {
  const times = record ?? timesOf(stopped);
  const outOfMemory = (record?.oomKills ?? 0) > 0 || stopped?.outOfMemory === true;
  return {
    exitCode: record === undefined ? stopped?.exitCode : (record.exitCode ?? undefined),
    signal: record?.signal ?? undefined,
    outOfMemory,
    limitsHit: limitsHit(record, outOfMemory, intent),
    lastLogLines: await lastLogLines(paths),
    startedAt: times.startedAt,
    endedAt: times.endedAt,
    durationMs: times.durationMs,
    workingTimeMs: times.durationMs,
    ...(record !== undefined && { network: record.network }),
  };
}

/** A sandbox that was stopped before it ran has no times of its own. */
function timesOf(stopped: StoppedContainer | undefined) {
  const startedAt = stopped?.startedAt ?? new Date(0).toISOString();
  const endedAt = stopped?.finishedAt ?? startedAt;
  return {
    startedAt,
    endedAt,
    durationMs: Math.max(0, Date.parse(endedAt) - Date.parse(startedAt)),
  };
}

function limitsHit(
  record: EndRecord | undefined,
  outOfMemory: boolean,
  intent: KillIntent | undefined,
): string[] {
  const diskFree = record?.diskFree ?? undefined;
  const hits: Record<string, boolean> = {
    memory: outOfMemory,
    pids: (record?.pidsRefused ?? 0) > 0,
    disk: intent === 'disk' || (diskFree !== undefined && diskFree < DISK_FULL_BYTES),
    'file-size': record?.signal === 'SIGXFSZ',
    time: intent === 'timeout',
  };
  return Object.keys(hits).filter((name) => hits[name]);
}

/** Bytes that are no UTF-8 come as replacement characters; the logs themselves are kept as they are. */
async function lastLogLines(paths: AttemptPaths): Promise<string[]> {
  const lines: string[] = [];
  for (const name of ['stdout.log', 'stderr.log']) {
    const tail = await readBelow(paths.supervisor, name, LOG_TAIL_BYTES, 'end');
    lines.push(
      ...(tail?.toString('utf8').split('\n') ?? [])
        .filter((line) => line.trim() !== '')
        .slice(-LOG_TAIL_LINES),
    );
  }
  return lines.map((line) => line.slice(0, LOG_LINE_CHARACTERS));
}
