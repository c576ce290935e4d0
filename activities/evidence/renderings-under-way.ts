import { type RenderedArtifact } from '../../core/evidence-view';

/**
 * Files that one worker is rendering at this moment, so that whoever needs the same one waits for it: runs of a
 * task begin together and share its inputs.
 */
export class RenderingsUnderWay {
  readonly #work = new Map<string, Promise<RenderedArtifact>>();

  /**
   * What is being made under this key, else what `make` gives. Another's failure or cancellation is not ours: then
   * it is made here. Rejects with the signal's reason when it aborts.
   */
  async once(
    key: string,
    make: () => Promise<RenderedArtifact>,
    signal: AbortSignal | undefined,
  ): Promise<RenderedArtifact> {
    for (;;) {
      signal?.throwIfAborted();
      const other = this.#work.get(key);
      if (!other) return this.#begin(key, make);
      const outcome = await unlessAborted(other, signal);
      if (outcome) return outcome;
    }
  }

  async #begin(key: string, make: () => Promise<RenderedArtifact>): Promise<RenderedArtifact> {
    const work = make();
    this.#work.set(key, work);
    try {
      return await work;
    } finally {
      this.#work.delete(key);
    }
  }
}

/** The other's result; `undefined` when it failed or the signal aborted first. */
async function unlessAborted(
  other: Promise<RenderedArtifact>,
  signal: AbortSignal | undefined,
): Promise<RenderedArtifact | undefined> {
  const settled = other.catch(() => undefined);
  if (!signal) return settled;
  let stop = (): void => undefined;
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => resolve(undefined);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([settled, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
