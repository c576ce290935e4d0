import { newFolder, type TestFolder } from './task-folder';

export const SYSTEM_YAML = 'product: Acme Office 3\ndate: 2026-11-20\noperator: The lab\n';

/** A correct submission of one repetition of the task `sums`; `changes` replace or add files. */
export function submissionFolder(changes: Readonly<Record<string, string>> = {}): TestFolder {
  return newFolder({
    'system.yaml': SYSTEM_YAML,
    'sums/r1/report.md': 'The total is 42; the largest number is 22.\n',
    ...changes,
  });
}
