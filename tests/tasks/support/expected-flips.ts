import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '../../../activities/sandbox/image-recipe';

/** Task to mutation to the ids of the items that it must flip, from `tests/tasks/mutations/expected.yaml`. */
export type ExpectedFlips = Readonly<
  Record<string, Readonly<Record<string, readonly string[]>> | undefined>
>;

export function readExpectedFlips(): ExpectedFlips {
  const path = join(projectRoot(), 'tests', 'tasks', 'mutations', 'expected.yaml');
  return parse(readFileSync(path, 'utf8')) as ExpectedFlips;
}
