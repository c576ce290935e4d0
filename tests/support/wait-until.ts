/** Resolves when `holds`; throws after `timeoutMs`, so that a test says what it waited for in vain. */
export async function waitUntil(
  holds: () => boolean | Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    if (await holds()) return;
    if (Date.now() > deadline)
      throw new Error(`did not happen in ${timeoutMs} ms: ${String(holds)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
