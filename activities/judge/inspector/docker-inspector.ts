import type Docker from 'dockerode';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { type EvidenceReader } from '../../evidence/port';
import { type Inspector, type InspectorSession, type ProgramEnd } from '../port';
import { ContainerGone, type ExecAnswer } from './container-exec';
import {
  askHelper,
  type ContainerSettings,
  removeContainer,
  startInspectorContainer,
} from './inspector-container';
import { Slots } from './slots';

/** Bytes that one program may print; both ends are kept. */
const MAX_OUTPUT_BYTES = 64 * 1024;
/** Beyond the program's own limit, for the helper to stop it and answer. */
const HELPER_GRACE_MS = 20_000;
const UIDS = { from: 30_000, to: 60_000 };

export interface DockerInspectorOptions extends ContainerSettings {
  readonly recipe: string;
  /** Programs at once on this host. @default the number of processors */
  readonly maxConcurrency?: number;
}

/** A container for each session that runs Python, and another one for each delivered program. */
export function createDockerInspector(options: DockerInspectorOptions): Inspector {
  const slots = new Slots(options.maxConcurrency ?? availableParallelism());
  return {
    recipe: options.recipe,
    open: async (evidence) => new DockerInspectorSession(options, evidence, slots),
  };
}

class DockerInspectorSession implements InspectorSession {
  readonly #uid = randomInt(UIDS.from, UIDS.to);
  #container: Promise<Docker.Container> | undefined;
  readonly #started = new Set<Docker.Container>();
  #closed = false;

  constructor(
    private readonly settings: ContainerSettings,
    private readonly evidence: EvidenceReader,
    private readonly slots: Slots,
  ) {}

  run(code: string, timeoutMs: number): Promise<ProgramEnd> {
    const content = Buffer.from(code, 'utf8');
    return this.slots.use(async () => {
      const header = { codeBytes: content.byteLength, timeoutMs, maxBytes: MAX_OUTPUT_BYTES };
      try {
        return await this.#ask('run', header, content, timeoutMs, await this.#ownContainer());
      } catch (error) {
        if (!(error instanceof ContainerGone)) throw error;
        await this.#dropContainer();
        return this.#ask('run', header, content, timeoutMs, await this.#ownContainer());
      }
    });
  }

  runDelivered(
    path: string,
    programArguments: readonly string[],
    timeoutMs: number,
  ): Promise<ProgramEnd> {
    return this.slots.use(async () => {
      const container = await this.#start();
      try {
        const header = {
          path,
          arguments: programArguments,
          timeoutMs,
          maxBytes: MAX_OUTPUT_BYTES,
        };
        return await this.#ask('deliver', header, new Uint8Array(), timeoutMs, container);
      } finally {
        await this.#remove(container);
      }
    });
  }

  /** Ends whatever still runs: its caller gets an error. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#dropContainer();
    await Promise.all([...this.#started].map((container) => this.#remove(container)));
  }

  #ownContainer(): Promise<Docker.Container> {
    if (this.#container) return this.#container;
    const started = this.#start();
    started.catch(() => (this.#container = undefined));
    this.#container = started;
    return started;
  }

  async #dropContainer(): Promise<void> {
    const container = await this.#container?.catch(() => undefined);
    this.#container = undefined;
    if (container) await this.#remove(container);
  }

  async #start(): Promise<Docker.Container> {
    this.#refuseWhenClosed();
    const container = await startInspectorContainer(this.settings, this.evidence, this.#uid);
    this.#started.add(container);
    try {
      this.#refuseWhenClosed();
    } catch (error) {
      await this.#remove(container);
      throw error;
    }
    return container;
  }

  #refuseWhenClosed(): void {
    if (this.#closed) throw new Error('the inspector session is closed');
  }

  async #remove(container: Docker.Container): Promise<void> {
    this.#started.delete(container);
    await removeContainer(container);
  }

  async #ask(
    mode: 'run' | 'deliver',
    header: object,
    content: Uint8Array,
    timeoutMs: number,
    container: Docker.Container,
  ): Promise<ProgramEnd> {
    const answer = await askHelper(container, mode, header, content, {
      uid: this.#uid,
      timeoutMs: timeoutMs + HELPER_GRACE_MS,
    });
    const end = readEnd(answer);
    if (end) return end;
    // The helper is gone or stuck: what it was running goes with the container.
    if (mode === 'run') await this.#dropContainer();
    this.#refuseWhenClosed();
    return {
      output: `${answer.standardError.slice(0, 4_000)}\n(the program took its runner down; /tmp is new)`,
      timedOut: !answer.ended,
      exitCode: undefined,
      durationMs: answer.ended ? 0 : timeoutMs,
    };
  }
}

/** The helper's answer is its last line; programs cannot print there by ordinary means. */
function readEnd(answer: ExecAnswer): ProgramEnd | undefined {
  const line = answer.standardOutput.trimEnd().split('\n').at(-1) ?? '';
  try {
    const end = JSON.parse(line) as Partial<ProgramEnd> | null;
    if (typeof end?.output !== 'string' || typeof end.timedOut !== 'boolean') return undefined;
    return {
      output: end.output,
      timedOut: end.timedOut,
      exitCode: typeof end.exitCode === 'number' ? end.exitCode : undefined,
      durationMs: typeof end.durationMs === 'number' ? end.durationMs : 0,
    };
  } catch {
    return undefined;
  }
}
