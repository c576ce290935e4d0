import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { cellName } from '../../core/cell-range';
import { projectRoot } from '../../activities/sandbox/image-recipe';
import { featureOf } from '../corpus/features';
import { type LocatedFile, committedCorpus } from '../corpus/listing';
import { type Outcome } from '../corpus/outcome';
import { readAll } from '../corpus/read-all';
import { writeZip } from '../corpus/zip';
import { type OtherRun, runMarkitdown, runOfficeparser } from './support/other-extractors';

/**
 * What an evidence view costs, one artifact at a time, and what other extractors keep of the same files.
 */
const USAGE = `usage: tsx scripts/bench/evidence.ts [options]
  --set NAME   typical | large | rows | others; may be given several times (default: all)
  --image TAG  another image than the current renderer's
typical: 40 files of the corpus in the renderer container; marks: p50 < 2.5 s, p90 < 4 s, container start included
large:   a workbook of 200,000 rows x 10 (text; marks 6 s, 300 MB) and a PDF of 500 pages (the whole view)
rows:    a sheet of 3,000,000 rows of random letters, a file of 28 MB: how it ends, and what that takes
others:  markers of the corpus that we, markitdown and officeparser keep, by feature, with time and memory; both are
         installed into the data folder on first use`;

const TYPICAL_OF_EACH = 10;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      set: { type: 'string', multiple: true, default: ['typical', 'large', 'rows', 'others'] },
      image: { type: 'string' },
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
  if (values.set.includes('others')) await benchOthers(values.image);
}

/** Folders that came after the set was named. */
const LATER: readonly string[] = ['facts', 'libreoffice'];

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
    const [pdf] = await read([await file('pages.pdf', await largePdf(500))], false, image);
    if (pdf) console.log(`500 pages, whole view with 60 page images: ${describe(pdf)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function describe({ durationMs, peakBytes = 0, status, reason }: Outcome): string {
  const megabytes = (peakBytes / 1024 / 1024).toFixed(0);
  return `${(durationMs / 1000).toFixed(2)} s, ${megabytes} MB, ${status}${reason === '' ? '' : ` (${reason})`}`;
}

function largeWorkbook(rows: number, columns: number): Buffer {
  const letters = Array.from({ length: columns }, (_, at) => cellName(1, at + 1).slice(0, -1));
  let sheet = '';
  for (let row = 1; row <= rows; row++)
    sheet += `<row r="${row}">${letters.map((letter, at) => `<c r="${letter}${row}"><v>${row * 31 + at * 7}.25</v></c>`).join('')}</row>`;
  return workbookOf(sheet);
}

function workbookOf(sheet: string): Buffer {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const types = `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`;
  const relation = (type: string, target: string): string =>
    `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/${type}" Target="${target}"/></Relationships>`;
  const parts = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types">${types}</Types>`,
    '_rels/.rels': relation('officeDocument', 'xl/workbook.xml'),
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Rows" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relation('worksheet', 'worksheets/sheet1.xml'),
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${main}"><sheetData>${sheet}</sheetData></worksheet>`,
  };
  return writeZip(
    Object.entries(parts).map(([name, text]) => ({ name, content: Buffer.from(text) })),
  );
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

function randomRows(count: number): string {
  let state = 1;
  const rows: string[] = [];
  for (let row = 1; row <= count; row++) {
    let text = '';
    for (let part = 0; part < 2; part++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      text += (state >>> 1).toString(36);
    }
    rows.push(`<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`);
  }
  return rows.join('');
}

async function largePdf(pages: number): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let number = 1; number <= pages; number++) {
    const page = document.addPage([595, 842]);
    for (let line = 0; line < 40; line++)
      page.drawText(`Page ${number}, line ${line}: some words of a report`, {
        x: 60,
        y: 780 - line * 18,
        size: 11,
        font,
      });
  }
  return document.save();
}

async function benchOthers(image: string | undefined): Promise<void> {
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
  };
  console.log(
    'markers kept. ours: exactly once, at its place, resolved; others: the word is anywhere in the text',
  );
  const ours = await ourFaults(files, image);
  const rows = countKept(files, (at, word) => [
    ours[at]?.some((fault) => fault.startsWith(`${word}:`)) === false,
    ...Object.values(runs).map((each) => each.files[at]?.text?.includes(word) === true),
  ]);
  const names = ['markers', 'ours', ...Object.keys(runs)];
  console.log(`| format, feature | ${names.join(' | ')} |\n|---|${'---|'.repeat(names.length)}`);
  for (const [name, counts] of rows) console.log(`| ${name} | ${counts.join(' | ')} |`);
  for (const [name, { files: texts, peakMegabytes }] of Object.entries(runs)) {
    const failed = texts.filter(({ text }) => text === null).length;
    const total = texts.reduce((sum, { ms }) => sum + ms, 0);
    console.log(
      `  ${name}: ${(total / 1000).toFixed(1)} s for ${texts.length} files, ${peakMegabytes} MB, ${failed} not read`,
    );
  }
}

/** What is wrong with our view of each file; PDFs are read in their container, since nothing of them is without it. */
async function ourFaults(
  files: readonly LocatedFile[],
  image: string | undefined,
): Promise<(readonly string[])[]> {
  const isPdf = ({ onlyContainer }: LocatedFile): boolean => onlyContainer === true;
  const contained = await read(files.filter(isPdf), false, image);
  const inProcess = await read(
    files.filter((file) => !isPdf(file)),
    true,
  );
  return files.map((file) => {
    const outcome = (isPdf(file) ? contained : inProcess).shift();
    if (outcome?.status !== 'rendered') throw new Error(`${file.file} was not rendered`);
    return outcome.faults;
  });
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
    const extension = file.file.split('.').at(-1) ?? '';
    for (const marker of file.markers.filter(({ text }) => text.startsWith('MK'))) {
      const flags = [true, ...keptBy(at, marker.text)];
      add(extension, flags);
      add(`${extension}, ${featureOf(file, marker)}`, flags);
    }
  });
  return [...rows].sort(([left], [right]) => (left < right ? -1 : 1));
}

main().catch((error: unknown) => {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
