import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

export interface CommandOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly workingFolder?: string;
  /** File that gets both output streams as well; it is replaced. */
  readonly logFile?: string;
}

export interface CommandResult {
  /** Null when the program was ended by a signal or could not be started. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. A program that fails or does not exist is a result, not an exception. */
export function tryCommand(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.environment },
    ...(options.workingFolder !== undefined && { cwd: options.workingFolder }),
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  if (options.logFile !== undefined) {
    mkdirSync(dirname(options.logFile), { recursive: true });
    const log = createWriteStream(options.logFile);
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    child.on('close', () => log.end());
  }
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ exitCode: null, ...output, stderr: error.message }));
    child.on('close', (exitCode) => resolve({ exitCode, ...output }));
  });
}

/** Runs a program and returns what it printed on stdout, trimmed. Throws with its last words when it fails. */
export async function command(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<string> {
  const result = await tryCommand(program, args, options);
  if (result.exitCode !== 0) {
    const lastWords = (result.stderr.trim() || result.stdout.trim())
      .split('\n')
      .slice(-20)
      .join('\n');
    const log = options.logFile === undefined ? '' : ` (all of it in ${options.logFile})`;
    throw new Error(`${program} ${args[0] ?? ''} failed${log}:\n${lastWords}`);
  }
  return result.stdout.trim();
}
