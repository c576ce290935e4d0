import * as net from 'node:net';
import { z } from 'zod';
import { type Logger } from '../../core/logger';
import { type Place, type PlaceRequest, type Places } from '../models/port';
import { lines } from './line-reader';
import { listenPrivately } from './private-socket';

const request = z.object({
  account: z.string().min(1),
  maxConcurrency: z.int().positive(),
  lane: z.string(),
  party: z.string(),
  again: z.boolean(),
});
const outcome = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['succeeded', 'failed']) }),
  z.object({ kind: z.literal('overloaded'), retryAfterMs: z.number().nonnegative().optional() }),
]);
/** What a worker says; each is one line of JSON. `hold` names a call that began before this connection. */
const message = z.discriminatedUnion('t', [
  z.object({ t: z.literal('ask'), id: z.int(), request }),
  z.object({ t: z.literal('hold'), id: z.int(), request }),
  z.object({ t: z.literal('withdraw'), id: z.int() }),
  z.object({ t: z.literal('release'), id: z.int(), outcome }),
]);
export type PlacesMessage = z.infer<typeof message>;

/** Places that can also count calls which another process already makes. */
export interface OwnedPlaces extends Places {
  adopt(request: PlaceRequest): Place;
}

/**
 * Lets other processes of this data folder take places from the same budget as the gateway's own calls. A connection
 * that ends gives back all it held: a killed worker keeps no place.
 */
export async function servePlaces(
  socketPath: string,
  places: OwnedPlaces,
  logger: Logger,
): Promise<{ stop(): Promise<void> }> {
  const open = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    open.add(socket);
    const worker = new WorkerPlaces(places, (id) => socket.write(`${JSON.stringify({ id })}\n`));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      worker.gone();
    });
    lines(socket, (line) => {
      try {
        worker.take(message.parse(JSON.parse(line)));
      } catch (error) {
        logger.error({ error: String(error) }, 'a worker asked for a place in a way not known');
        socket.destroy();
      }
    });
  });
  const short = await listenPrivately(server, socketPath);
  return {
    stop: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
      short.release();
    },
  };
}

/** What one connected process holds and waits for. */
class WorkerPlaces {
  private readonly held = new Map<number, Place>();
  private readonly asked = new Map<number, AbortController>();
  private isGone = false;

  constructor(
    private readonly places: OwnedPlaces,
    private readonly grant: (id: number) => void,
  ) {}

  take(said: PlacesMessage): void {
    const { id } = said;
    if (said.t === 'ask') this.ask(id, said.request);
    else if (said.t === 'hold') this.held.set(id, this.places.adopt(said.request));
    else if (said.t === 'withdraw') {
      this.asked.get(id)?.abort(new Error('withdrawn'));
      this.release(id, { kind: 'failed' });
    } else {
      const { outcome: end } = said;
      this.release(
        id,
        end.kind === 'overloaded' ? { kind: end.kind, retryAfterMs: end.retryAfterMs } : end,
      );
    }
  }

  gone(): void {
    this.isGone = true;
    for (const controller of this.asked.values()) controller.abort(new Error('gone'));
    for (const id of [...this.held.keys()]) this.release(id, { kind: 'failed' });
  }

  private ask(id: number, asked: PlaceRequest): void {
    const controller = new AbortController();
    this.asked.set(id, controller);
    this.places
      .acquire(asked, controller.signal)
      .then((place) => {
        if (this.isGone || controller.signal.aborted) place.release({ kind: 'failed' });
        else {
          this.held.set(id, place);
          this.grant(id);
        }
      })
      .catch(() => undefined)
      .finally(() => this.asked.delete(id));
  }

  private release(id: number, end: Parameters<Place['release']>[0]): void {
    this.held.get(id)?.release(end);
    this.held.delete(id);
  }
}
