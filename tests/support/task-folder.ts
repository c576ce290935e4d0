import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const TASK_FILES: Readonly<Record<string, string>> = {
  'task.yaml': `id: sums
title: Add numbers
domain: finance
language: en
outputs:
  - { path: report.md, format: markdown }
grants: { web: [] }
`,
  'rubric.yaml': `- id: total
  text: The report says that the total is 42.
  weight: core
  dimension: calculation-precision
  check: { kind: text-contains, file: report.md, any: ['42'] }
- id: reason
  text: The report names the largest number.
  weight: important
  dimension: information-integration
- id: short
  text: The report has one page.
  weight: 0.5
  dimension: output-presentation
`,
  'workspace/query/task.md':
    'Add the numbers in `numbers.csv` and leave `report.md` in `results/`.\n',
  'workspace/numbers.csv': 'n\n20\n22\n',
  'reference/report.md': 'The total is 42; the largest number is 22.\n',
};

/** A folder of files for a test; `remove` when done. */
export interface TestFolder {
  readonly path: string;
  write(name: string, text: string): void;
  remove(): void;
}

export function newFolder(files: Readonly<Record<string, string>> = {}): TestFolder {
  const path = mkdtempSync(join(tmpdir(), 'startupbench-test-'));
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  return { path, write, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A small correct task; `changes` replace or add files, `undefined` leaves one out. */
export function taskFiles(
  changes: Readonly<Record<string, string | undefined>> = {},
): Record<string, string> {
  const files = Object.entries({ ...TASK_FILES, ...changes });
  return Object.fromEntries(
    files.filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
