import * as crypto from 'node:crypto';
import {
  type BegunFrame,
  type JournalFrame,
  type RequestKind,
  type RequestRecord,
} from './journal-frames';

type Json = Readonly<Record<string, unknown>>;

interface MessageList {
  readonly exchange: number;
  readonly messages: readonly number[];
}

const IMAGE_MARK = 'startupbench-image:';
const DATA_URL = /^data:([a-z]+\/[a-z0-9.+-]+);base64,(.*)$/su;

/**
 * Stores messages, tool lists and images once. Fed with the journal's frames at open, it goes on where the last
 * process stopped.
 */
export class MessageStore {
  private readonly numbers = new Map<string, number>();
  private readonly images = new Set<string>();
  private readonly last = new Map<RequestKind, MessageList>();

  /** Takes note of a frame that is in the journal. */
  apply(frame: JournalFrame): void {
    if (frame.t === 'blob') this.numbers.set(frame.sha256, frame.n);
    else if (frame.t === 'image') this.images.add(frame.sha256);
    else if (frame.t === 'begun')
      this.last.set(frame.kind, { exchange: frame.e, messages: this.messagesOf(frame) });
  }

  /** The message list of a `begun` frame, seen right after the frames before it. */
  messagesOf(frame: BegunFrame): readonly number[] {
    const { base, keep, add } = frame.request;
    const earlier = [...this.last.values()].find((list) => list.exchange === base);
    return [...(earlier?.messages.slice(0, keep) ?? []), ...add];
  }

  /** How to write a request down, and the frames that must be in the journal before it. */
  record(body: Json): {
    readonly request: RequestRecord;
    readonly frames: readonly JournalFrame[];
  } {
    const frames: JournalFrame[] = [];
    const { messages, tools, ...settings } = body;
    const list = (Array.isArray(messages) ? (messages as unknown[]) : []).map((message) =>
      this.number(message, frames),
    );
    const { base, keep } = this.longestPrefix(list);
    return {
      request: {
        ...(base === undefined ? {} : { base }),
        keep,
        add: list.slice(keep),
        ...(tools === undefined ? {} : { tools: this.number(tools, frames) }),
        settings,
      },
      frames,
    };
  }

  private longestPrefix(list: readonly number[]): { base: number | undefined; keep: number } {
    let best: { base: number | undefined; keep: number } = { base: undefined, keep: 0 };
    for (const { exchange, messages } of this.last.values()) {
      let keep = 0;
      while (keep < list.length && keep < messages.length && list[keep] === messages[keep]) keep++;
      if (keep > best.keep) best = { base: exchange, keep };
    }
    return best;
  }

  /** The number of this value; a new value adds its frames. */
  private number(value: unknown, frames: JournalFrame[]): number {
    const text = JSON.stringify(value);
    const sha256 = crypto.createHash('sha256').update(text).digest('hex');
    const known = this.numbers.get(sha256);
    if (known !== undefined) return known;
    const n = this.numbers.size;
    this.numbers.set(sha256, n);
    frames.push({ t: 'blob', n, sha256, value: this.withoutImages(value, frames) });
    return n;
  }

  private withoutImages(value: unknown, frames: JournalFrame[]): unknown {
    if (!isObject(value) || !Array.isArray(value['content'])) return value;
    const parts = (value['content'] as unknown[]).map((part) => {
      if (!isObject(part) || !isObject(part['image_url'])) return part;
      const found = DATA_URL.exec(String(part['image_url']['url']));
      if (found === null) return part;
      const url = `${IMAGE_MARK}${this.storeImage(found[1] ?? '', found[2] ?? '', frames)}`;
      return { ...part, image_url: { ...part['image_url'], url } };
    });
    return { ...value, content: parts };
  }

  private storeImage(mediaType: string, base64: string, frames: JournalFrame[]): string {
    const sha256 = crypto.createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex');
    if (!this.images.has(sha256)) {
      this.images.add(sha256);
      frames.push({ t: 'image', sha256, mediaType, base64 });
    }
    return sha256;
  }
}

/** sha256 of the image that a stored part stands for, if it is one. */
export function storedImage(url: unknown): string | undefined {
  return typeof url === 'string' && url.startsWith(IMAGE_MARK)
    ? url.slice(IMAGE_MARK.length)
    : undefined;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
