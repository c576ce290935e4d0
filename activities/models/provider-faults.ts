import { z } from 'zod';
import { type ProviderRequest } from './provider-request';

const faultSchema = z.strictObject({
  /** Only requests with all of these values; every member is optional. */
  match: z
    .strictObject({
      purpose: z.string(),
      task: z.string(),
      repetition: z.number(),
      item: z.string(),
      recordings: z.string(),
      turn: z.number(),
    })
    .partial()
    .default({}),
  /** How many matching requests are hit. */
  times: z.int().positive().default(1),
  /** Answer with this HTTP status... */
  status: z.int().min(300).max(599).optional(),
  /** ...this body (default: an error in OpenAI's shape)... */
  body: z.unknown().optional(),
  /** ...and these headers. */
  headers: z.record(z.string(), z.string()).default({}),
  /** Wait before whatever follows. */
  delayMs: z.number().nonnegative().default(0),
  /** Wait, after `delayMs`, until the faults are cleared; what follows then is as of before. */
  untilCleared: z.boolean().default(false),
  /** Break the connection instead of answering. */
  reset: z.boolean().default(false),
  /** Never answer. */
  stall: z.boolean().default(false),
  /** Send the first part of a good stream, then break the connection. */
  cutStream: z.boolean().default(false),
});

/** A scripted fault of a provider, for tests: `POST /faults`. Without status, reset and the like it only delays. */
export type ProviderFault = z.infer<typeof faultSchema>;

/** Faults in the order they were set; each is used up after its `times`. */
export class FaultScript {
  private faults: { readonly fault: ProviderFault; left: number }[] = [];
  private waiting: (() => void)[] = [];

  /** Adds one fault or a list. Throws a ZodError on a field that nothing reads. */
  add(given: unknown): void {
    const parsed = z.union([z.array(faultSchema), faultSchema]).parse(given);
    for (const fault of Array.isArray(parsed) ? parsed : [parsed])
      this.faults.push({ fault, left: fault.times });
  }

  /** No faults any more; requests that wait for it go on. */
  clear(): void {
    this.faults = [];
    for (const goOn of this.waiting.splice(0)) goOn();
  }

  /** Until the next `clear`. */
  cleared(): Promise<void> {
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** The fault for this request, if any; counts as used. */
  take(request: ProviderRequest): ProviderFault | undefined {
    if (this.faults.length === 0) return undefined;
    const found = this.faults.find((entry) => matches(entry.fault, request));
    if (found === undefined) return undefined;
    found.left--;
    if (found.left <= 0) this.faults = this.faults.filter((entry) => entry !== found);
    return found.fault;
  }
}

function matches({ match }: ProviderFault, request: ProviderRequest): boolean {
  const facts: Readonly<Record<string, unknown>> = {
    purpose: request.purpose,
    task: request.taskId,
    repetition: request.repetition,
    item: request.itemId,
    recordings: request.recordings,
    turn: request.turn,
  };
  return Object.entries(match).every(([name, value]) => facts[name] === value);
}
