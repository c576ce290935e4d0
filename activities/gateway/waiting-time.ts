interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * Time in which an attempt's exchanges waited for us: queueing, retries, holding, absence of the gateway. Exchanges that
 * wait side by side count once.
 */
export class WaitingTime {
  /** Apart from each other, in order. */
  private spans: Span[] = [];

  add(fromMs: number, toMs: number): void {
    if (toMs > fromMs) this.spans = joined(this.spans, { fromMs, toMs });
  }

  /** Milliseconds; `openSinceMs` are the beginnings of waits that have not ended at `nowMs`. */
  totalMs(openSinceMs: readonly number[] = [], nowMs = 0): number {
    const all = openSinceMs
      .filter((fromMs) => fromMs < nowMs)
      .reduce((spans, fromMs) => joined(spans, { fromMs, toMs: nowMs }), this.spans);
    return all.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  }
}

function joined(spans: readonly Span[], added: Span): Span[] {
  let { fromMs, toMs } = added;
  const apart: Span[] = [];
  for (const span of spans)
    if (span.toMs < fromMs || span.fromMs > toMs) apart.push(span);
    else {
      fromMs = Math.min(fromMs, span.fromMs);
      toMs = Math.max(toMs, span.toMs);
    }
  return [...apart, { fromMs, toMs }].sort((left, right) => left.fromMs - right.fromMs);
}
