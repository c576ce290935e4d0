import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { projectRoot } from '../../../activities/sandbox/image-recipe';
import { featureOf } from '../../corpus/features';
import { type LocatedFile, committedCorpus } from '../../corpus/listing';
import { type Outcome } from '../../corpus/outcome';
import { readAll } from '../../corpus/read-all';
import { type OtherRun, runDocling, runMarkitdown, runOfficeparser } from './other-extractors';

export interface OthersSettings {
  readonly image?: string | undefined;
  /** Folder of the environment that docling is in, or is installed into. */
  readonly docling?: string | undefined;
}

/**
 * Prints markers of the corpus by what they stand in, and how many of them each extractor keeps; then the time of each
 * for each format, its peak of memory, and the files that it did not read.
 */
export async function benchOthers({ image, docling }: OthersSettings): Promise<void> {
  const files = committedCorpus().filter(
    ({ file, status, markers }) =>
      status === 'rendered' && markers.length > 0 && /\.(?:xlsx|docx|pptx|pdf)$/u.test(file),
  );
  const data = process.env['STARTUPBENCH_DATA'] ?? join(projectRoot(), '.startupbench');
  const folder = join(data, 'bench-evidence');
  await mkdir(folder, { recursive: true });
  const runs: Record<string, OtherRun> = {
    markitdown: await runMarkitdown(folder, files),
    officeparser: await runOfficeparser(folder, files),
    ...(docling === undefined ? {} : { docling: await runDocling(resolve(docling), files) }),
  };
  const outcomes = await readOurs(files, image);
  printKept(files, outcomes, runs);
  printCosts(files, outcomes, runs);
}

/** PDFs are read in their container, since nothing of them is without it; their time includes its start. */
async function readOurs(
  files: readonly LocatedFile[],
  image: string | undefined,
): Promise<Outcome[]> {
  const isPdf = ({ onlyContainer }: LocatedFile): boolean => onlyContainer === true;
  const read = (some: readonly LocatedFile[], inProcess: boolean): Promise<Outcome[]> =>
    readAll(some, { inProcess, image, jobs: 1 }, async (file) => ({ file }));
  const contained = await read(files.filter(isPdf), false);
  const inProcess = await read(
    files.filter((file) => !isPdf(file)),
    true,
  );
  return files.map((file) => {
    const outcome = (isPdf(file) ? contained : inProcess).shift();
    if (outcome?.status !== 'rendered') throw new Error(`${file.file} was not rendered`);
    return outcome;
  });
}

function printKept(
  files: readonly LocatedFile[],
  outcomes: readonly Outcome[],
  runs: Readonly<Record<string, OtherRun>>,
): void {
  console.log(
    'markers kept. ours: exactly once, at its place, resolved; others: the word is anywhere in the text',
  );
  const rows = countKept(files, (at, word) => [
    outcomes[at]?.faults.some((fault) => fault.startsWith(`${word}:`)) === false,
    ...Object.values(runs).map((each) => each.files[at]?.text?.includes(word) === true),
  ]);
  const names = ['format', 'feature', 'markers', 'ours', ...Object.keys(runs)];
  console.log(`| ${names.join(' | ')} |\n|${'---|'.repeat(names.length)}`);
  for (const [name, counts] of rows) {
    const [format = '', feature] = name.split(', ', 2);
    const label = feature === undefined ? `**${format}** | all` : `${format} | ${feature}`;
    console.log(`| ${label} | ${counts.join(' | ')} |`);
  }
}

/** By format, and within it by feature: markers, and how many of them each reader keeps. */
function countKept(
  files: readonly LocatedFile[],
  keptBy: (at: number, word: string) => readonly boolean[],
): (readonly [string, readonly number[]])[] {
  const rows = new Map<string, number[]>();
  const add = (name: string, flags: readonly boolean[]): void => {
    const counts = rows.get(name) ?? Array.from(flags, () => 0);
    rows.set(
      name,
      counts.map((count, at) => count + Number(flags[at])),
    );
  };
  files.forEach((file, at) => {
    const format = formatOf(file);
    for (const marker of file.markers.filter(({ text }) => text.startsWith('MK'))) {
      const flags = [true, ...keptBy(at, marker.text)];
      add(format, flags);
      add(`${format}, ${featureOf(file, marker)}`, flags);
    }
  });
  return [...rows].sort(([left], [right]) => (left < right ? -1 : 1));
}

function formatOf({ file }: LocatedFile): string {
  return file.split('.').at(-1) ?? '';
}

function printCosts(
  files: readonly LocatedFile[],
  outcomes: readonly Outcome[],
  runs: Readonly<Record<string, OtherRun>>,
): void {
  const formats = [...new Set(files.map(formatOf))];
  const seconds = (ms: (at: number) => number): string[] =>
    formats.map((format) => {
      const total = files.reduce(
        (sum, file, at) => sum + (formatOf(file) === format ? ms(at) : 0),
        0,
      );
      return (total / 1000).toFixed(1);
    });
  const peak = Math.max(...outcomes.map(({ peakBytes = 0 }) => peakBytes)) / 1024 / 1024;
  console.log(
    `\n| extractor | ${formats.map((each) => `${each}, s`).join(' | ')} | MB | not read |`,
  );
  console.log(`|${'---|'.repeat(formats.length + 3)}`);
  const row = (name: string, times: string[], megabytes: number, unread: number): void =>
    console.log(`| ${name} | ${times.join(' | ')} | ${megabytes.toFixed(0)} | ${unread} |`);
  row(
    'ours',
    seconds((at) => outcomes[at]?.durationMs ?? 0),
    peak,
    0,
  );
  for (const [name, { files: texts, peakMegabytes, version, failures }] of Object.entries(runs)) {
    const unread = texts.filter(({ text }) => text === null).length;
    row(
      `${name} ${version}`,
      seconds((at) => texts[at]?.ms ?? 0),
      peakMegabytes,
      unread,
    );
    for (const failure of failures) console.log(`  ${name}: ${failure}`);
  }
}
