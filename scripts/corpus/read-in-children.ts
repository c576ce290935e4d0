import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { formatOfName } from '../../activities/evidence/artifact-format';
import { type LocatedFile } from './listing';
import { type Outcome } from './outcome';

const HEAP_MEGABYTES = 640;

export interface ChildReader {
  read(file: LocatedFile): Promise<Outcome>;
  close(): void;
}

/**
 * Reads files in a child process with the renderer's heap limit, without pages, PDFs and recalculation. A child
 * that dies or takes longer than `limitMs` for one file is a crash; the next file gets a new one.
 *
 * @param limitMs SIGKILL for one file. @default 30_000
 */
export function createChildReader(limitMs = 30_000): ChildReader {
  let child: ChildProcess | undefined;
  return {
    read: async (file) => {
      child ??= startChild();
      const started = performance.now();
      const outcome = await answerOf(child, file, limitMs);
      if (typeof outcome !== 'string') return outcome;
      child.kill('SIGKILL');
      child = undefined;
      return {
        file: file.file,
        format: formatOfName(file.file),
        status: 'crashed',
        reason: outcome,
        durationMs: performance.now() - started,
        counts: {},
        disagreements: [],
        faults: [],
      };
    },
    close: () => {
      child?.kill('SIGKILL');
      child = undefined;
    },
  };
}

function startChild(): ChildProcess {
  return fork(join(__dirname, 'reading-child.ts'), {
    execArgv: ['--import', require.resolve('tsx'), `--max-old-space-size=${HEAP_MEGABYTES}`],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** The outcome, or why there is none. */
function answerOf(
  child: ChildProcess,
  file: LocatedFile,
  limitMs: number,
): Promise<Outcome | string> {
  return new Promise((resolve) => {
    let words = '';
    child.stderr?.on('data', (chunk: Buffer) => (words = (words + chunk.toString()).slice(-4000)));
    const end = (answer: Outcome | string): void => {
      clearTimeout(timer);
      child.removeAllListeners();
      child.stderr?.removeAllListeners();
      resolve(answer);
    };
    const timer = setTimeout(() => end(`no answer within ${limitMs} ms`), limitMs);
    child.once('message', (outcome) => end(outcome as Outcome));
    child.once('error', (error) => end(error.message));
    child.once('exit', (code, signal) => {
      const error = /^.*(?:Error|FATAL).*$/mu.exec(words)?.[0] ?? '';
      end(`the reading process died (${signal ?? code ?? ''}) ${error}`.trim());
    });
    child.send(file);
  });
}
