import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { cellName } from '../../core/cell-range';
import { projectRoot } from '../../activities/sandbox/image-recipe';
import { type LocatedFile, committedCorpus } from '../corpus/listing';
import { type Outcome } from '../corpus/outcome';
import { readAll } from '../corpus/read-all';
import { writeZip } from '../corpus/zip';

/**
 * What an evidence view costs, one artifact at a time, and what other extractors keep of the same files.
 */
const USAGE = `usage: tsx scripts/bench/evidence.ts [options]
  --set NAME   typical | large | others; may be given several times (default: all)
  --image TAG  another image than the current renderer's
typical: 40 files of the corpus in the renderer container; marks: p50 < 2.5 s, p90 < 4 s, container start included
large:   a workbook of 200,000 rows x 10 (text; marks 6 s, 300 MB) and a PDF of 500 pages (the whole view)
others:  markers of the corpus that markitdown and officeparser keep, with time and memory; both are installed into the
         data folder on first use`;

const run = promisify(execFile);
const TYPICAL_OF_EACH = 10;
const OTHERS = { markitdown: '0.1.9', officeparser: '8.1.1' } as const;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      set: { type: 'string', multiple: true, default: ['typical', 'large', 'others'] },
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
  if (values.set.includes('others')) await benchOthers();
}

/** The first ten rendered files of each format by name: the same ones as long as the corpus only grows behind them. */
function typicalFiles(): LocatedFile[] {
  const files = committedCorpus().filter(({ status }) => status === 'rendered');
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
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
  const packages = 'http://schemas.openxmlformats.org/package/2006';
  const letters = Array.from({ length: columns }, (_, at) => cellName(1, at + 1).slice(0, -1));
  let sheet = '';
  for (let row = 1; row <= rows; row++)
    sheet += `<row r="${row}">${letters.map((letter, at) => `<c r="${letter}${row}"><v>${row * 31 + at * 7}.25</v></c>`).join('')}</row>`;
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

interface OtherText {
  readonly text: string | null;
  readonly ms: number;
}

interface OtherRun {
  readonly files: readonly OtherText[];
  readonly peakMegabytes: number;
}

async function benchOthers(): Promise<void> {
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
    'markers kept (ours: every one, by tests/corpus); only whether the word is anywhere in the text',
  );
  for (const extension of ['xlsx', 'docx', 'pptx', 'pdf']) {
    const total = keptOf(files, extension, () => true);
    const others = Object.entries(runs).map(([name, { files: texts }]) => {
      const kept = keptOf(files, extension, (at, word) => texts[at]?.text?.includes(word) === true);
      return `${name} ${kept}`;
    });
    console.log(`  ${extension}: of ${total}: ${others.join(', ')}`);
  }
  for (const [name, { files: texts, peakMegabytes }] of Object.entries(runs)) {
    const failed = texts.filter(({ text }) => text === null).length;
    const total = texts.reduce((sum, { ms }) => sum + ms, 0);
    console.log(
      `  ${name}: ${(total / 1000).toFixed(1)} s for ${texts.length} files, ${peakMegabytes} MB, ${failed} not read`,
    );
  }
}

function keptOf(
  files: readonly LocatedFile[],
  extension: string,
  isKept: (at: number, word: string) => boolean,
): number {
  return files.reduce((sum, { file, markers }, at) => {
    if (!file.endsWith(`.${extension}`)) return sum;
    return sum + markers.filter(({ text }) => text.startsWith('MK') && isKept(at, text)).length;
  }, 0);
}

/** 20 s for each file: cells in the far corners of a sheet take it hours. */
const MARKITDOWN_PROGRAM = `
import json, resource, signal, sys, time
from markitdown import MarkItDown

def stop(*_):
    raise TimeoutError

signal.signal(signal.SIGALRM, stop)
reader, out = MarkItDown(), []
for path in sys.argv[1:]:
    started = time.monotonic()
    signal.alarm(20)
    try:
        text = reader.convert(path).text_content
    except BaseException:
        text = None
    signal.alarm(0)
    out.append({"text": text, "ms": (time.monotonic() - started) * 1000})
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(json.dumps({"files": out, "peakMegabytes": peak}))
`;

async function runMarkitdown(folder: string, files: readonly LocatedFile[]): Promise<OtherRun> {
  const python = join(folder, 'venv', 'bin', 'python');
  if (!existsSync(python)) {
    await run('python3', ['-m', 'venv', join(folder, 'venv')]);
    const pin = `markitdown[xlsx,docx,pptx,pdf]==${OTHERS.markitdown}`;
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', pin]);
  }
  return parse(
    await run(python, ['-c', MARKITDOWN_PROGRAM, ...files.map(({ path }) => path)], BIG),
  );
}

const OFFICEPARSER_PROGRAM = `
const parser = require('officeparser');
(async () => {
  const files = [];
  for (const path of process.argv.slice(1)) {
    const started = performance.now();
    let text = null;
    try {
      const parsed = await parser.parseOffice(path);
      text = typeof parsed === 'string' ? parsed : parsed.toText ? parsed.toText() : JSON.stringify(parsed);
    } catch {}
    files.push({ text: text && String(text), ms: performance.now() - started });
  }
  const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stdout.write('\\n' + JSON.stringify({ files, peakMegabytes }), () => process.exit(0));
})();
`;

async function runOfficeparser(folder: string, files: readonly LocatedFile[]): Promise<OtherRun> {
  if (!existsSync(join(folder, 'node_modules', 'officeparser')))
    // In that folder: it asks for a newer Node than the project's, which the project's own settings refuse.
    await run(
      'npm',
      [
        'install',
        '--silent',
        '--ignore-scripts',
        '--prefix',
        '.',
        `officeparser@${OTHERS.officeparser}`,
      ],
      { cwd: folder },
    );
  const paths = files.map(({ path }) => path);
  return parse(await run('node', ['-e', OFFICEPARSER_PROGRAM, ...paths], { ...BIG, cwd: folder }));
}

const BIG = { maxBuffer: 256 * 1024 * 1024, timeout: 600_000 };

/** Libraries print warnings before the last line. */
function parse({ stdout }: { readonly stdout: string }): OtherRun {
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as OtherRun;
}

main().catch((error: unknown) => {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
