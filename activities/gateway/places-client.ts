import * as net from 'node:net';
import { type Place, type PlaceOutcome, type PlaceRequest, type Places } from '../models/port';
import { lines } from './line-reader';
import { type OwnedPlaces, type PlacesMessage } from './places-server';
import { shortSocketPath } from './socket-path';

export interface PlacesClientOptions {
  /** The gateway's socket for places; it need not be there. */
  readonly socketPath: string;
  /** Gives places while no gateway runs on this data folder. */
  readonly own: OwnedPlaces;
  readonly now?: () => number;
  /** Between two looks for a gateway while calls are open that it does not know of. @default 1000 */
  readonly lookEveryMs?: number;
}

/** After a gateway was found absent, it is looked for again no sooner than this. */
const LOOK_AGAIN_MS = 1_000;

/** An open call. */
interface Held {
  readonly request: PlaceRequest;
  /** Counts it among our own; absent while only the gateway does. */
  own?: Place;
  /** The gateway that counts it. */
  told?: net.Socket;
}

interface Asked {
  readonly granted: () => void;
  readonly lost: (error: Error) => void;
}

class LinkLost extends Error {}

/**
 * Places from the gateway of the same data folder, so that its calls and ours share one budget. Without a gateway this
 * process is alone and gives its own. Calls go on when the gateway dies or comes: either way those that are open stay
 * counted, by us while we are alone, and by the next gateway as soon as it is found.
 */
export class PlacesClient implements Places {
  private link: Promise<net.Socket | undefined> | undefined;
  private absentSinceMs = Number.NEGATIVE_INFINITY;
  private nextId = 0;
  private closed = false;
  private readonly asked = new Map<number, Asked>();
  private readonly held = new Map<number, Held>();
  private looking: NodeJS.Timeout | undefined;
  private readonly now: () => number;

  constructor(private readonly options: PlacesClientOptions) {
    this.now = options.now ?? Date.now;
  }

  async acquire(request: PlaceRequest, signal?: AbortSignal): Promise<Place> {
    for (;;) {
      signal?.throwIfAborted();
      if (this.closed) throw new Error('this process takes no more places');
      const socket = await this.connected();
      if (socket === undefined) {
        const own = await this.options.own.acquire(request, signal);
        return this.hold(this.nextId++, { request, own });
      }
      try {
        return await this.ask(socket, request, signal);
      } catch (error) {
        if (!(error instanceof LinkLost)) throw error;
      }
    }
  }

  /** Lets go of all places; whoever waits is told so. */
  async close(): Promise<void> {
    this.closed = true;
    this.stopLooking();
    (await this.link)?.destroy();
  }

  private async ask(
    socket: net.Socket,
    request: PlaceRequest,
    signal: AbortSignal | undefined,
  ): Promise<Place> {
    const id = this.nextId++;
    const say = (message: PlacesMessage) => this.say(message);
    const abort = () => {
      this.asked.get(id)?.lost(signal?.reason as Error);
      say({ t: 'withdraw', id });
    };
    // A process that only waits for a place has nothing else that keeps it alive.
    socket.ref();
    try {
      await new Promise<void>((resolve, reject) => {
        this.asked.set(id, { granted: resolve, lost: reject });
        signal?.addEventListener('abort', abort, { once: true });
        write(socket, { t: 'ask', id, request });
      });
    } finally {
      this.asked.delete(id);
      if (this.asked.size === 0) socket.unref();
      signal?.removeEventListener('abort', abort);
    }
    return this.hold(id, { request, told: socket });
  }

  private hold(id: number, held: Held): Place {
    this.held.set(id, held);
    // The gateway may be gone again, or have come, since the place was given.
    if (this.link === undefined) this.countOwn();
    else void this.link.then((socket) => socket && this.tell(socket, id));
    return {
      release: (outcome) => {
        if (!this.held.delete(id)) return;
        held.own?.release(outcome);
        this.say({ t: 'release', id, outcome: spoken(outcome) });
      },
    };
  }

  private tell(socket: net.Socket, id: number): void {
    const held = this.held.get(id);
    if (held === undefined || held.told === socket) return;
    held.told = socket;
    write(socket, { t: 'hold', id, request: held.request });
  }

  /** What the gateway counted is ours to count until there is another one. */
  private countOwn(): void {
    if (this.closed || this.held.size === 0) return;
    for (const held of this.held.values()) held.own ??= this.options.own.adopt(held.request);
    this.looking ??= setInterval(
      () => this.lookForGateway(),
      this.options.lookEveryMs ?? LOOK_AGAIN_MS,
    );
    this.looking.unref();
  }

  private lookForGateway(): void {
    if (this.held.size === 0) this.stopLooking();
    else void this.connected();
  }

  private stopLooking(): void {
    clearInterval(this.looking);
    this.looking = undefined;
  }

  private say(message: PlacesMessage): void {
    void this.link?.then((socket) => {
      if (socket !== undefined) write(socket, message);
    });
  }

  /** Undefined while no gateway serves places. */
  private connected(): Promise<net.Socket | undefined> {
    if (this.link !== undefined) return this.link;
    if (this.now() - this.absentSinceMs < LOOK_AGAIN_MS) return Promise.resolve(undefined);
    this.link = this.connect().then((socket) => {
      if (socket !== undefined) return socket;
      this.absentSinceMs = this.now();
      this.link = undefined;
      return undefined;
    });
    return this.link;
  }

  private connect(): Promise<net.Socket | undefined> {
    return new Promise((resolve) => {
      let short: ReturnType<typeof shortSocketPath>;
      try {
        short = shortSocketPath(this.options.socketPath);
      } catch {
        resolve(undefined);
        return;
      }
      const socket = net.connect(short.path);
      let isOpen = false;
      socket.on('connect', () => {
        isOpen = true;
        // The connection alone keeps no process alive; what is asked for and the calls do.
        socket.unref();
        short.release();
        this.stopLooking();
        for (const id of this.held.keys()) this.tell(socket, id);
        resolve(socket);
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        if (!isOpen) short.release();
        resolve(undefined);
        this.lost();
      });
      lines(socket, (line) => {
        const { id } = JSON.parse(line) as { id: number };
        this.asked.get(id)?.granted();
      });
    });
  }

  private lost(): void {
    this.link = undefined;
    this.countOwn();
    for (const { lost } of [...this.asked.values()]) lost(new LinkLost('the gateway went away'));
  }
}

function write(socket: net.Socket, message: PlacesMessage): void {
  if (!socket.destroyed) socket.write(`${JSON.stringify(message)}\n`);
}

function spoken(outcome: PlaceOutcome): Extract<PlacesMessage, { t: 'release' }>['outcome'] {
  if (outcome.kind !== 'overloaded') return outcome;
  const { retryAfterMs } = outcome;
  return { kind: 'overloaded', ...(retryAfterMs !== undefined && { retryAfterMs }) };
}
