import { storeKeys } from '../core/ids';
import { type RunResult } from '../core/run';
import { readJson } from '../activities/read-json';
import { type IdentifiedRun } from '../activities/run-state';
import { verdictKeyOf, type ResultSource } from './read-results';

/** Keys of the (first vote's) verdicts on the named items of a delivered generation; empty where none was delivered. */
export async function openVerdictKeys(
  source: ResultSource,
  run: IdentifiedRun,
  generation: number,
  itemIds: readonly string[],
): Promise<string[]> {
  const result = await readJson<RunResult>(source.store, storeKeys.result(run.runKey, generation));
  if (result === undefined) return [];
  const { items } = await source.plans.loadRubric(run.task);
  return items
    .filter((item) => itemIds.includes(item.id))
    .map((item) => verdictKeyOf(result, item, source.plan));
}
