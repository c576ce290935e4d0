import { spawn } from 'node:child_process';
import { RENDER_LIMITS } from './limits';

export interface ProgramEnd {
  readonly exitCode: number | null;
  readonly timedOut: boolean;
  /** True where there was more output than is taken. */
  readonly isCut: boolean;
  readonly standardOutput: Buffer;
  /** The last 4 KiB. */
  readonly standardError: string;
}

/** Standard output beyond this is cut off and the program killed. */
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;

/**
 * Runs a program in a process group of its own and kills the whole group with SIGKILL when the time is up:
 * LibreOffice's wrapper would leave its child alive. Rejects only when the program cannot be started.
 */
export function runProgram(
  command: string,
  args: readonly string[],
  options: {
    readonly environment?: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
    readonly input?: Uint8Array;
    /** Takes standard output as it comes instead of keeping it; false ends the program. */
    readonly onOutput?: (chunk: Buffer) => boolean;
  } = {},
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const program = spawn(command, [...args], {
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], TZ: 'UTC', LANG: 'C.UTF-8', ...options.environment },
    });
    const output: Buffer[] = [];
    let outputBytes = 0;
    let standardError = '';
    let timedOut = false;
    let isCut = false;
    const killGroup = (): void => {
      if (program.pid === undefined) return;
      try {
        process.kill(-program.pid, 'SIGKILL');
      } catch {
        // The group is already gone.
      }
    };
    const timer = setTimeout(() => {
      timedOut = true;
      killGroup();
    }, options.timeoutMs ?? RENDER_LIMITS.programMs);
    program.stdout.on('data', (chunk: Buffer) => {
      if (options.onOutput) {
        if (isCut || options.onOutput(chunk)) return;
        isCut = true;
        killGroup();
        return;
      }
      outputBytes += chunk.length;
      if (outputBytes > MAX_OUTPUT_BYTES) {
        isCut = true;
        killGroup();
      } else output.push(chunk);
    });
    program.stderr.on('data', (chunk: Buffer) => {
      standardError = (standardError + chunk.toString()).slice(-4096);
    });
    program.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    program.on('close', (exitCode) => {
      clearTimeout(timer);
      killGroup();
      resolve({ exitCode, timedOut, isCut, standardOutput: Buffer.concat(output), standardError });
    });
    // A program that ends without reading its input closes the pipe first; its exit tells what happened.
    program.stdin.on('error', () => undefined);
    program.stdin.end(options.input);
  });
}
