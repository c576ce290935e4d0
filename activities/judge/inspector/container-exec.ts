import type Docker from 'dockerode';
import { PassThrough } from 'node:stream';
import { Failure } from '../../../core/failure';

/** More than any answer of the helper; a container that writes more is cut off. */
const MAX_ANSWER_BYTES = 4 * 1024 ** 2;

export interface ExecRequest {
  readonly command: readonly string[];
  readonly user: string;
  /** Written to standard input in this order. */
  readonly input: readonly Uint8Array[];
  /** Ends the wait, in milliseconds; what runs in the container is the helper's to stop. */
  readonly timeoutMs: number;
}

/** What a command wrote; `ended` is false when the wait was over first. */
export interface ExecAnswer {
  readonly standardOutput: string;
  readonly standardError: string;
  readonly ended: boolean;
}

/** The container is not there or does not run any more: another one can do the work. */
export class ContainerGone extends Error {}

/** Runs a command in a running container and waits for its output's end. */
export async function execInContainer(
  container: Docker.Container,
  request: ExecRequest,
): Promise<ExecAnswer> {
  const stream = await startExec(container, request);
  const output = new Collector();
  const errors = new Collector();
  const [outputPipe, errorPipe] = [new PassThrough(), new PassThrough()];
  outputPipe.on('data', (chunk: Buffer) => output.add(chunk));
  errorPipe.on('data', (chunk: Buffer) => errors.add(chunk));
  const modem = container.modem as Docker['modem'];
  modem.demuxStream(stream, outputPipe, errorPipe);
  const end = waitForEnd(stream, request.timeoutMs);
  for (const piece of request.input)
    if (!stream.write(piece)) await Promise.race([drained(stream), end]);
  const ended = await end;
  stream.destroy();
  return { standardOutput: output.text(), standardError: errors.text(), ended };
}

async function startExec(
  container: Docker.Container,
  request: ExecRequest,
): Promise<NodeJS.ReadWriteStream & { destroy(): void }> {
  try {
    const exec = await container.exec({
      Cmd: [...request.command],
      User: request.user,
      AttachStdin: true,
      AttachStdout: true,
      AttachStderr: true,
      Tty: false,
    });
    return await exec.start({ hijack: true, stdin: true });
  } catch (error) {
    throw dockerFailure(error);
  }
}

function waitForEnd(stream: NodeJS.ReadableStream, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(false), timeoutMs);
    const finish = (ended: boolean) => {
      clearTimeout(timer);
      resolve(ended);
    };
    stream.once('end', () => finish(true));
    stream.once('close', () => finish(true));
    stream.once('error', () => finish(true));
  });
}

function drained(stream: NodeJS.WritableStream): Promise<void> {
  return new Promise((resolve) => stream.once('drain', resolve));
}

class Collector {
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  add(chunk: Buffer): void {
    if (this.#bytes >= MAX_ANSWER_BYTES) return;
    this.#chunks.push(chunk.subarray(0, MAX_ANSWER_BYTES - this.#bytes));
    this.#bytes += chunk.byteLength;
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}

/** Docker's error as ours: a missing container can be made again, a missing image must be built, the rest may pass. */
export function dockerFailure(error: unknown): Error {
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  const text = message ?? String(error);
  if (/no such image/iu.test(text))
    return new Failure(
      'ConfigMissing',
      `${text.trim()}: build it with "npx tsx scripts/images.ts inspector"`,
      { cause: error },
    );
  if (statusCode === 404 || statusCode === 409) return new ContainerGone(text);
  return new Failure('DockerUnavailable', `inspector container: ${text}`, { cause: error });
}
