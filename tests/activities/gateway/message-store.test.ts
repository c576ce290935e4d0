import { createHash } from 'node:crypto';
import { type BegunFrame, type JournalFrame } from '../../../activities/gateway/journal-frames';
import { MessageStore } from '../../../activities/gateway/message-store';

type Json = Record<string, unknown>;

function begun(e: number, request: BegunFrame['request']): BegunFrame {
  return {
    t: 'begun',
    e,
    at: '2026-01-01T00:00:00.000Z',
    deliveryId: `d${e}`,
    bodySha256: '',
    kind: 'main',
    finalisation: false,
    request,
    dropped: [],
  };
}

/** Records requests one after another and returns all frames. */
function record(store: MessageStore, bodies: readonly Json[]): JournalFrame[] {
  const all: JournalFrame[] = [];
  bodies.forEach((body, e) => {
    const { request, frames } = store.record(body);
    for (const frame of [...frames, begun(e, request)]) {
      store.apply(frame);
      all.push(frame);
    }
  });
  return all;
}

function conversation(steps: number): Json[] {
  const messages: Json[] = [{ role: 'user', content: 'start' }];
  const bodies: Json[] = [];
  for (let step = 0; step < steps; step++) {
    bodies.push({ messages: [...messages], tools: [{ type: 'function' }], temperature: 0 });
    messages.push(
      { role: 'assistant', content: `reply ${step}` },
      { role: 'user', content: `result ${step}` },
    );
  }
  return bodies;
}

describe('storing requests', () => {
  it('grows with the conversation, not with its square', () => {
    const sizeOf = (steps: number) =>
      JSON.stringify(record(new MessageStore(), conversation(steps))).length;
    expect(sizeOf(200) / sizeOf(100)).toBeLessThan(2.2);
  });

  it('gives every request its whole list of messages back', () => {
    const bodies = conversation(10);
    const frames = record(new MessageStore(), bodies);
    const reader = new MessageStore();
    const values = new Map<number, unknown>();
    const lists: unknown[] = [];
    for (const frame of frames) {
      if (frame.t === 'blob') values.set(frame.n, frame.value);
      if (frame.t === 'begun') lists.push(reader.messagesOf(frame).map((n) => values.get(n)));
      reader.apply(frame);
    }
    expect(lists).toEqual(bodies.map(({ messages }) => messages));
  });

  it('goes on after a restart without storing anything twice', () => {
    const bodies = conversation(6);
    const store = new MessageStore();
    const frames = record(store, bodies.slice(0, 5));
    const restarted = new MessageStore();
    for (const frame of frames) restarted.apply(frame);
    const { request, frames: added } = restarted.record(bodies[5]!);
    expect(added.map(({ t }) => t)).toEqual(['blob', 'blob']);
    expect(request.keep).toBe(9);
  });

  it('stores an image once, by the digest of its bytes', () => {
    const bytes = Buffer.from('not really a picture');
    const url = `data:image/png;base64,${bytes.toString('base64')}`;
    const message = (text: string): Json => ({
      role: 'user',
      content: [
        { type: 'text', text },
        { type: 'image_url', image_url: { url, detail: 'high' } },
      ],
    });
    const frames = record(new MessageStore(), [{ messages: [message('one'), message('two')] }]);
    const images = frames.filter((frame) => frame.t === 'image');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(images).toEqual([
      { t: 'image', sha256, mediaType: 'image/png', base64: bytes.toString('base64') },
    ]);
    expect(JSON.stringify(frames.filter((frame) => frame.t === 'blob'))).not.toContain('base64');
  });
});
