import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type LocatedFile } from '../../../scripts/corpus/listing';

const ROOT = join(__dirname, '..', '..', '..');
const DATA = process.env['STARTUPBENCH_DATA'] ?? join(ROOT, '.startupbench');

/** Counts by a library of its own, in the project's Python environment; `null` where it cannot read a file. */
export async function countsOf(
  files: readonly LocatedFile[],
): Promise<(Readonly<Record<string, number>> | null)[]> {
  const { stdout } = await promisify(execFile)(
    join(DATA, 'venv', 'bin', 'python'),
    [join(ROOT, 'scripts', 'corpus', 'count.py'), ...files.map(({ path }) => path)],
    { maxBuffer: 16 * 1024 * 1024, timeout: 60_000 },
  );
  return JSON.parse(stdout) as (Record<string, number> | null)[];
}
