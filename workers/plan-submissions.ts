import { createHash } from 'node:crypto';
import { type ConfigurationFault } from '../config/located-yaml';
import { type SweepFile } from '../config/sweep-file';
import { laneId, storeKeys } from '../core/ids';
import { type Submission } from '../core/submission';
import { IMPORTED, type PlannedLane } from '../core/sweep';
import { readJson } from '../activities/read-json';
import { type ObjectStore } from '../activities/store/port';

const NAMED_RUNS = 5;

/** The lanes of a sweep whose deliverables were made elsewhere. */
export interface ImportedLanes {
  readonly lanes: readonly PlannedLane[];
  /** By lane id. */
  readonly submissions: ReadonlyMap<string, Submission>;
}

/** One lane for each submission that the sweep file names; a fault for each that the store does not have. */
export async function importedLanes(
  store: ObjectStore,
  sweep: SweepFile,
  faults: ConfigurationFault[],
): Promise<ImportedLanes> {
  const lanes: PlannedLane[] = [];
  const submissions = new Map<string, Submission>();
  for (const { id, line } of sweep.submissions) {
    const submission = await readJson<Submission>(store, storeKeys.submission(id));
    if (submission === undefined) {
      const known = await submissionIds(store);
      faults.push({
        file: sweep.file,
        line,
        message:
          `submissions: no ${id} in ${store.description} (there ${known.length === 0 ? 'is none' : `are ${known.join(', ')}`}): ` +
          'import it with `submission import`',
      });
      continue;
    }
    const lane = laneOf(submission);
    lanes.push(lane);
    submissions.set(lane.id, submission);
  }
  return { lanes, submissions };
}

function laneOf({ id, digest, system }: Submission): PlannedLane {
  return {
    id: laneId(id, IMPORTED),
    model: {
      id,
      provider: IMPORTED,
      name: system.product,
      parameters: {},
      submission: { id, digest, ...system },
      account: IMPORTED,
    },
    harness: {
      id: IMPORTED,
      name: IMPORTED,
      version: '1',
      configuration: {},
      promptDigest: createHash('sha256').update('').digest('hex'),
    },
  };
}

/** Runs of the chosen tasks that a chosen submission does not hold. */
export function submissionFaults(
  sweep: SweepFile,
  { submissions }: ImportedLanes,
  chosen: {
    readonly tasks: readonly { readonly id: string }[];
    readonly lanes: readonly PlannedLane[];
  },
): ConfigurationFault[] {
  return chosen.lanes.flatMap((lane) => {
    const submission = submissions.get(lane.id);
    if (submission === undefined) return [];
    const held = new Set(submission.runs.map(({ task, repetition }) => `${task}/r${repetition}`));
    const missing = chosen.tasks
      .flatMap(({ id }) =>
        Array.from({ length: sweep.repetitions }, (_, index) => `${id}/r${index + 1}`),
      )
      .filter((run) => !held.has(run));
    if (missing.length === 0) return [];
    const more = missing.length - NAMED_RUNS;
    const message =
      `submissions: ${submission.id} lacks ${missing.slice(0, NAMED_RUNS).join(', ')}` +
      `${more > 0 ? ` and ${more} more` : ''}: leave these tasks or repetitions out, or import a submission that has them`;
    const line = sweep.submissions.find(({ id }) => id === submission.id)?.line;
    return [{ file: sweep.file, line, message }];
  });
}

async function submissionIds(store: ObjectStore): Promise<string[]> {
  const prefix = 'open/submissions/';
  const ids = new Set<string>();
  for await (const key of store.list(prefix)) ids.add(key.slice(prefix.length).split('/')[0] ?? '');
  return [...ids].sort();
}

/** Everything that was imported into the store, by id. */
export async function listSubmissions(store: ObjectStore): Promise<Submission[]> {
  const found = await Promise.all(
    (await submissionIds(store)).map((id) => readJson<Submission>(store, storeKeys.submission(id))),
  );
  return found.filter((submission) => submission !== undefined);
}
