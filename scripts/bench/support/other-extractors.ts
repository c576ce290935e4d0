import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type LocatedFile } from '../../corpus/listing';

const run = promisify(execFile);
const OTHERS = { markitdown: '0.1.9', officeparser: '8.1.1' } as const;

interface OtherText {
  readonly text: string | null;
  readonly ms: number;
}

/** Texts of the files in their order; `null` where nothing was read. */
export interface OtherRun {
  readonly files: readonly OtherText[];
  readonly peakMegabytes: number;
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

/** Installs markitdown into the folder on first use. */
export async function runMarkitdown(
  folder: string,
  files: readonly LocatedFile[],
): Promise<OtherRun> {
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
  return parse(await run('node', ['-e', OFFICEPARSER_PROGRAM, ...paths], { ...BIG, cwd: folder }));
}

const BIG = { maxBuffer: 256 * 1024 * 1024, timeout: 600_000 };

/** Libraries print warnings before the last line. */
function parse({ stdout }: { readonly stdout: string }): OtherRun {
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as OtherRun;
}
