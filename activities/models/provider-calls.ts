import * as crypto from 'node:crypto';
import { isObject, type ProviderRequest } from './provider-request';

const MOST_IMAGES = 1_000;

/** What `GET /calls` answers. Tests compare these counts, never our own journals. */
export interface ProviderCalls {
  /** Calls answered with a reply. */
  readonly total: number;
  /** Calls answered with a fault. */
  readonly failed: number;
  /** Replies by `purpose/task/r<k>` (agent) and `purpose/task/r<k>/item` (judge). */
  readonly counts: Readonly<Record<string, number>>;
  /** The same with `<recordings or simulated>:<subject>/` before each key, where lanes must be told apart. */
  readonly bySource: Readonly<Record<string, number>>;
  /** sha256 of the images that requests carried. */
  readonly images: readonly string[];
  readonly mostAtOnce: number;
}

export class CallCounter {
  private total = 0;
  private failed = 0;
  private atOnce = 0;
  private mostAtOnce = 0;
  private readonly counts = new Map<string, number>();
  private readonly bySource = new Map<string, number>();
  private readonly images = new Set<string>();

  started(): void {
    this.atOnce++;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
  }

  ended(): void {
    this.atOnce--;
  }

  answered(request: ProviderRequest): void {
    this.total++;
    const item = request.itemId === undefined ? '' : `/${request.itemId}`;
    const key = `${request.purpose}/${request.taskId}/r${request.repetition}${item}`;
    const source = `${request.recordings ?? 'simulated'}:${request.subject ?? ''}/${key}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    this.bySource.set(source, (this.bySource.get(source) ?? 0) + 1);
    this.noteImages(request.body['messages']);
  }

  refused(): void {
    this.failed++;
  }

  reset(): void {
    this.total = this.failed = this.mostAtOnce = 0;
    this.counts.clear();
    this.bySource.clear();
    this.images.clear();
  }

  report(): ProviderCalls {
    return {
      total: this.total,
      failed: this.failed,
      counts: Object.fromEntries([...this.counts].sort()),
      bySource: Object.fromEntries([...this.bySource].sort()),
      images: [...this.images],
      mostAtOnce: this.mostAtOnce,
    };
  }

  private noteImages(messages: unknown): void {
    if (!Array.isArray(messages)) return;
    for (const message of messages as unknown[]) {
      if (!isObject(message) || !Array.isArray(message['content'])) continue;
      for (const part of message['content'] as unknown[])
        if (isObject(part) && isObject(part['image_url'])) this.noteImage(part['image_url']['url']);
    }
  }

  private noteImage(url: unknown): void {
    const data = typeof url === 'string' ? /^data:[^,]*;base64,(.*)$/su.exec(url)?.[1] : undefined;
    if (data === undefined || this.images.size >= MOST_IMAGES) return;
    this.images.add(crypto.createHash('sha256').update(Buffer.from(data, 'base64')).digest('hex'));
  }
}
