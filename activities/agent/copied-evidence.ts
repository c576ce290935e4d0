import { appendFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AttemptReference } from '../../core/activity-contract';
import { type AttemptRecord } from '../../core/run';
import { attemptFiles } from '../gateway/attempt-files';
import { readGatewayLog } from '../gateway/gateway-control';
import { type TranscriptEnd } from '../gateway/port';
import { writeTranscript } from '../gateway/transcript-files';
import { createPlanCache } from '../plan-cache';
import { type ObjectStore } from '../store/port';
import { attemptResolver } from './attempt-context';
import { storeEvidence, type AttemptEvidence } from './attempt-evidence';
import { writeGatewayOrders } from './gateway-orders';
import { findCopiedJournal } from './journal-copy';

/**
 * Transcript and traffic of an attempt whose host is gone, from the parts of its journal that reached the store: a
 * lower bound, marked so. `undefined` when no part did.
 */
export async function copiedEvidence(
  reference: AttemptReference,
  store: ObjectStore,
  end: TranscriptEnd,
): Promise<(AttemptEvidence & Pick<AttemptRecord, 'traffic'>) | undefined> {
  const copied = await findCopiedJournal(store, reference);
  if (copied === undefined) return undefined;
  const sandboxesDir = await mkdtemp(join(tmpdir(), 'startupbench-lost-'));
  try {
    const host = { stack: copied.stack, hostId: reference.hostId, sandboxesDir };
    const context = await attemptResolver(createPlanCache(store), host)(reference);
    const { attemptDir } = context.paths;
    // Nobody holds this token: the folder only serves to read the journal.
    await writeGatewayOrders(context, '');
    for (const { sha256 } of copied.parts)
      await appendFile(attemptFiles(attemptDir).journal, await store.getBlob('open', sha256));
    const gateway = {
      writeTranscript: (folder: string, ended?: TranscriptEnd) =>
        Promise.resolve(writeTranscript(folder, ended)),
    };
    const evidence = await storeEvidence(
      context,
      { store, gateway },
      { ...end, incomplete: true },
      undefined,
    );
    return { ...evidence, traffic: { ...readGatewayLog(attemptDir).traffic, incomplete: true } };
  } finally {
    await rm(sandboxesDir, { recursive: true, force: true });
  }
}
