import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type LocatedFile, committedCorpus } from '../corpus/listing';
import { type Outcome } from '../corpus/outcome';
import { readAll } from '../corpus/read-all';
import { runInRenderer } from './support/in-renderer';
import { benchOthers } from './support/kept-markers';
import { largePdf, largeWorkbook, randomRows, workbookOf } from './support/large-files';
import { type PdfParts } from './support/pdf-parts';

/**
 * What an evidence view costs, one artifact at a time, and what other extractors keep of the same files.
 */
const USAGE = `usage: tsx scripts/bench/evidence.ts [options]
  --set NAME   typical | large | rows | others; may be given several times (default: all)
  --image TAG  another image than the current renderer's
  --docling FOLDER  others: docling too, installed into an environment there on first use (downloads 3.2 GB)
typical: 40 files of the corpus in the renderer container; marks: p50 < 2.5 s, p90 < 4 s, container start included
large:   a workbook of 200,000 rows x 10 (text; marks 6 s, 300 MB) and a PDF of 500 pages: its text, its
         first 60 page images (marks 2 s, 3 s), and the whole view
rows:    a sheet of 3,000,000 rows of random letters, a file of 28 MB: how it ends, and what that takes
others:  markers of the corpus that we, markitdown and officeparser keep, by feature, with time and memory; both are
         installed into the data folder on first use`;

const TYPICAL_OF_EACH = 10;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      set: { type: 'string', multiple: true, default: ['typical', 'large', 'rows', 'others'] },
      image: { type: 'string' },
      docling: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return;
  }
  if (values.set.includes('typical')) await benchTypical(values.image);
  if (values.set.includes('large')) await benchLarge(values.image);
  if (values.set.includes('rows')) await benchRows(values.image);
  if (values.set.includes('others')) await benchOthers(values);
}

/** Folders that came after the set was named. */
const LATER: readonly string[] = ['facts', 'libreoffice', 'objects'];

/** The first ten rendered files of each format by name: the same ones as long as the corpus only grows behind them. */
function typicalFiles(): LocatedFile[] {
  const files = committedCorpus().filter(
    ({ status, generator }) => status === 'rendered' && !LATER.includes(generator),
  );
  return ['xlsx', 'docx', 'pptx', 'pdf'].flatMap((extension) =>
    files.filter(({ file }) => file.endsWith(`.${extension}`)).slice(0, TYPICAL_OF_EACH),
  );
}

async function benchTypical(image: string | undefined): Promise<void> {
  const files = typicalFiles();
  const outcomes = await read(files, false, image);
  const seconds = outcomes.map(({ durationMs }) => durationMs / 1000).sort((a, b) => a - b);
  const at = (share: number): string =>
    (seconds[Math.ceil(share * seconds.length) - 1] ?? 0).toFixed(2);
  const bad = outcomes.filter(({ status }) => status !== 'rendered').length;
  console.log(
    `typical: ${files.length} files, p50 ${at(0.5)} s, p90 ${at(0.9)} s, max ${at(1)} s, ${bad} not rendered`,
  );
}

function read(
  files: readonly LocatedFile[],
  inProcess: boolean,
  image?: string,
): Promise<Outcome[]> {
  return readAll(files, { inProcess, image, jobs: 1 }, async (file) => ({ file }));
}

async function benchLarge(image: string | undefined): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-evidence-'));
  const file = async (name: string, content: Uint8Array): Promise<LocatedFile> => {
    const path = join(folder, name);
    await writeFile(path, content);
    return { file: name, path, generator: '', status: 'rendered', markers: [] };
  };
  try {
    const book = await file('rows.xlsx', largeWorkbook(200_000, 10));
    const [text] = await read([book], true);
    if (text) console.log(`200,000 x 10 cells, text: ${describe(text)} (of the reading process)`);
    const [view] = await read([book], false, image);
    if (view) console.log(`200,000 x 10 cells, whole view: ${describe(view)}`);
    const pages = await file('pages.pdf', await largePdf(500));
    await benchParts(pages.path, image);
    const [pdf] = await read([pages], false, image);
    if (pdf) console.log(`500 pages, whole view with 60 page images: ${describe(pdf)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What one reading is made of, by the reader's own clock; the container's start and end are the rest. */
async function benchParts(path: string, image: string | undefined): Promise<void> {
  const program = join(__dirname, 'support', 'pdf-parts.ts');
  const { answer, wallSeconds } = await runInRenderer<PdfParts>(program, path, image);
  const { text, unseenWords, pageImages, images, segments } = answer;
  console.log(`500 pages, text of all pages: ${text.toFixed(2)} s`);
  console.log(
    `500 pages, which words a reader does not see, and the view of ${segments} pieces of text: ${unseenWords.toFixed(2)} s`,
  );
  console.log(`500 pages, first ${images} page images: ${pageImages.toFixed(2)} s`);
  const rest = (wallSeconds - 2 * text - unseenWords - pageImages).toFixed(2);
  console.log(`  their container: ${rest} s more to start it and Node, and to end it`);
}

function describe({ durationMs, peakBytes = 0, status, reason }: Outcome): string {
  const megabytes = (peakBytes / 1024 / 1024).toFixed(0);
  return `${(durationMs / 1000).toFixed(2)} s, ${megabytes} MB, ${status}${reason === '' ? '' : ` (${reason})`}`;
}

/** Text that hardly compresses, so that the limits on size and inflation let it pass. */
async function benchRows(image: string | undefined): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-evidence-'));
  try {
    const path = join(folder, 'rows.xlsx');
    await writeFile(path, workbookOf(randomRows(3_000_000)));
    const file = {
      file: 'rows.xlsx',
      path,
      generator: '',
      status: 'truncated',
      markers: [],
    } as const;
    const [view] = await read([file], false, image);
    const { size } = await stat(path);
    if (view)
      console.log(`3,000,000 rows, ${(size / 1024 / 1024).toFixed(0)} MB: ${describe(view)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
