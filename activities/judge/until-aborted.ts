/** The work's result, or the signal's reason as soon as it aborts; the work is then on its own. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const settled = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    const stop = () => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true, signal: settled.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    settled.abort();
    // Its end is nobody's concern any more once the signal was first.
    work.catch(() => undefined);
  }
}
