/**
 * Resolves when `holds`; throws after `timeoutMs`, so that a test says what it waited for in vain. The default is for what
 * hangs, not for what is slow.
 */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  timeoutMs = 240_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    if (await holds()) return;
    if (Date.now() > deadline)
      throw new Error(`did not happen in ${timeoutMs} ms: ${String(holds)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
