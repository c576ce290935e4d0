import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type LocatedFile } from '../../corpus/listing';

const run = promisify(execFile);
const OTHERS = { markitdown: '0.1.9', officeparser: '8.1.1', docling: '2.143.0' } as const;

interface OtherText {
  readonly text: string | null;
  readonly ms: number;
  readonly error?: string;
}

/** Texts of the files in their order; `null` where nothing was read. */
export interface OtherRun {
  readonly version: string;
  readonly files: readonly OtherText[];
  readonly peakMegabytes: number;
  /** The errors of files that were not read: each kind once, with the number of files. */
  readonly failures: readonly string[];
}

/**
 * Calls `read(path)` of what stands before it. 20 s for each file: cells in the far corners of a sheet take some
 * readers hours.
 */
const PYTHON_LOOP = `
import json, resource, signal, sys, time

def stop(*_):
    raise TimeoutError("20 s for a file")

signal.signal(signal.SIGALRM, stop)
out = []
for path in sys.argv[1:]:
    started = time.monotonic()
    signal.alarm(20)
    one = {"text": None}
    try:
        one["text"] = read(path)
    except BaseException as error:
        one["error"] = f"{type(error).__name__}: {error}"[:400]
    signal.alarm(0)
    out.append({**one, "ms": (time.monotonic() - started) * 1000})
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
print(json.dumps({"files": out, "peakMegabytes": peak}))
`;

const MARKITDOWN_PROGRAM = `
from markitdown import MarkItDown

reader = MarkItDown()

def read(path):
    return reader.convert(path).text_content
${PYTHON_LOOP}`;

/** Markdown with all layers of content: by itself it leaves headers, footers and notes out. */
const DOCLING_PROGRAM = `
import logging
logging.disable(logging.CRITICAL)
from docling.document_converter import DocumentConverter
from docling_core.types.doc.document import ContentLayer

reader = DocumentConverter()

def read(path):
    document = reader.convert(path).document
    return document.export_to_markdown(included_content_layers=set(ContentLayer))
${PYTHON_LOOP}`;

/** Installs markitdown into the folder on first use. */
export async function runMarkitdown(
  folder: string,
  files: readonly LocatedFile[],
): Promise<OtherRun> {
  const pin = `markitdown[xlsx,docx,pptx,pdf]==${OTHERS.markitdown}`;
  const python = await environmentWith(join(folder, 'venv'), pin);
  return parse(OTHERS.markitdown, await runPython(python, MARKITDOWN_PROGRAM, files));
}

/**
 * Installs docling into an environment in the folder on first use: 3.2 GB to download, 6.3 GB on the disk. Its readers
 * of office files need nothing else; its reader of PDFs fetches models from a hub when it runs.
 */
export async function runDocling(folder: string, files: readonly LocatedFile[]): Promise<OtherRun> {
  const python = await environmentWith(folder, `docling==${OTHERS.docling}`);
  return parse(OTHERS.docling, await runPython(python, DOCLING_PROGRAM, files));
}

/** The Python of an environment that has the package. */
async function environmentWith(folder: string, pin: string): Promise<string> {
  const python = join(folder, 'bin', 'python');
  if (existsSync(python)) return python;
  await run('python3', ['-m', 'venv', folder]);
  const options = ['--quiet', '--disable-pip-version-check', '--no-cache-dir'];
  await run(python, ['-m', 'pip', 'install', ...options, pin]);
  return python;
}

function runPython(
  python: string,
  program: string,
  files: readonly LocatedFile[],
): Promise<{ stdout: string }> {
  return run(python, ['-c', program, ...files.map(({ path }) => path)], BIG);
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
    } catch (error) {
      files.push({ text: null, ms: performance.now() - started, error: String(error).slice(0, 400) });
      continue;
    }
    files.push({ text: text && String(text), ms: performance.now() - started });
  }
  const peakMegabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stdout.write('\\n' + JSON.stringify({ files, peakMegabytes }), () => process.exit(0));
})();
`;

/** Installs officeparser into the folder on first use. */
export async function runOfficeparser(
  folder: string,
  files: readonly LocatedFile[],
): Promise<OtherRun> {
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
  const answer = await run('node', ['-e', OFFICEPARSER_PROGRAM, ...paths], { ...BIG, cwd: folder });
  return parse(OTHERS.officeparser, answer);
}

const BIG = { maxBuffer: 256 * 1024 * 1024, timeout: 900_000 };

/** Libraries print warnings before the last line. */
function parse(version: string, { stdout }: { readonly stdout: string }): OtherRun {
  const answer = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Omit<OtherRun, 'failures'>;
  const failures = new Map<string, number>();
  for (const { error } of answer.files)
    if (error !== undefined) failures.set(error, (failures.get(error) ?? 0) + 1);
  return {
    ...answer,
    version,
    failures: [...failures].map(([error, count]) => `${count} x ${error.replaceAll('\n', ' ')}`),
  };
}
