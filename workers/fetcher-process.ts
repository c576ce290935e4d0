import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type FetchAnswer, type FetchRequest, type WebFetcher } from '../activities/web/port';
import { Failure } from '../core/failure';
import { type Logger } from '../core/logger';

/** What goes to the fetcher process and comes back; `id` pairs them. */
export interface FetchMessage {
  readonly id: number;
  readonly request: FetchRequest;
}
export interface FetchedMessage {
  readonly id: number;
  readonly answer: FetchAnswer;
}

interface Waiting {
  readonly resolve: (answer: FetchAnswer) => void;
  readonly reject: (error: Error) => void;
}

/** Beside the path, what its own libraries need. No key, no token and no proxy gets into the fetcher. */
const PASSED_ON = ['PATH', 'LANG', 'TZ', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'];

/**
 * The fetcher as a process of its own, without keys: it alone touches what strangers send. Started at the first fetch,
 * again after it died, and it ends with the process that started it.
 */
export class FetcherProcess implements WebFetcher {
  private child: ChildProcess | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;

  constructor(
    private readonly logger: Logger,
    /** Tests start one whose internet is their own. */
    private readonly main: string = join(__dirname, 'fetcher-main'),
  ) {}

  fetch(request: FetchRequest): Promise<FetchAnswer> {
    const child = this.running();
    const id = this.next++;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      const message: FetchMessage = { id, request };
      child.send(message, (error) => {
        if (error === null) return;
        this.waiting.delete(id);
        reject(died(error.message));
      });
    });
  }

  /** Ends the process; a later fetch starts it again. */
  stop(): void {
    this.child?.kill('SIGKILL');
  }

  private running(): ChildProcess {
    if (this.child !== undefined) return this.child;
    const child = fork(...commandOf(this.main), {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: Object.fromEntries(PASSED_ON.map((name) => [name, process.env[name]])),
      execArgv: execArguments(),
    });
    this.child = child;
    child.on('message', (message) => {
      const { id, answer } = message as FetchedMessage;
      this.waiting.get(id)?.resolve(answer);
      this.waiting.delete(id);
    });
    const gone = (why: string): void => {
      if (this.child !== child) return;
      this.child = undefined;
      this.logger.warn({ why }, 'the fetcher process ended');
      for (const { reject } of this.waiting.values()) reject(died(why));
      this.waiting.clear();
    };
    child.once('error', (error) => gone(error.message));
    child.once('exit', (code, signal) => gone(`ended with ${String(signal ?? code)}`));
    // Neither it nor its channel keeps the gateway alive.
    child.unref();
    child.channel?.unref();
    return child;
  }
}

function died(why: string): Failure {
  return new Failure('ProviderUnavailable', `the fetcher process: ${why}`);
}

/** From source through tsx, from `dist/` as it is. */
function commandOf(main: string): [string, string[]] {
  return [`${main}${__filename.endsWith('.ts') ? '.ts' : '.js'}`, []];
}

function execArguments(): string[] {
  return __filename.endsWith('.ts') ? ['--import', pathToFileURL(require.resolve('tsx')).href] : [];
}
