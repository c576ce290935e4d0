import { committedCorpus } from '../../scripts/corpus/listing';
import { readInProcess } from './support/read-in-process';
import { countsOf } from './support/second-library';

const TIMEOUT_MS = 120_000;
const LIBRARIES = [
  ['openpyxl', /\.xls[xm]$/u],
  ['python-docx', /\.docx$/u],
  ['python-pptx', /\.pptx$/u],
] as const;
/** Where the library is the one that counts otherwise, and why. */
const KNOWN: Readonly<Record<string, string>> = {
  'packages/strict.xlsx': 'openpyxl finds no sheet under the strict namespace',
  'packages/upper-case-parts.xlsx': 'openpyxl compares part names with regard to case',
};

test.each(LIBRARIES)(
  'our counts of the corpus agree with those of %s',
  async (_library, names) => {
    const files = committedCorpus().filter(
      ({ file, status }) => names.test(file) && status === 'rendered',
    );
    const theirs = await countsOf(files);
    const differences: string[] = [];
    let compared = 0;
    for (const [at, file] of files.entries()) {
      const counts = theirs[at];
      const name = `${file.generator}/${file.file}`;
      if (!counts || KNOWN[name] !== undefined) continue;
      compared++;
      const { read } = await readInProcess(file);
      for (const [what, count] of Object.entries(counts))
        if ((read.record.counts[what] ?? 0) !== count)
          differences.push(
            `${name} ${what}: ${read.record.counts[what] ?? 0}, the library has ${count}`,
          );
    }
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(files.length * 0.8);
  },
  TIMEOUT_MS,
);
