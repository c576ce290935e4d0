import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Failure } from '../../core/failure';
import { PROVIDER_KINDS } from '../../core/sweep';
import { attemptFiles } from './attempt-files';
import { type GatewayAttempt } from './port';

const amount = z.number().nonnegative();
const optionalAmount = amount.optional();
const flatPrices = z.object({
  inputPerMillion: amount,
  cachedInputPerMillion: amount,
  cacheWritePerMillion: amount,
  outputPerMillion: amount,
});
const attemptSchema = z.object({
  v: z.literal(1),
  attemptId: z.string().min(1),
  runId: z.string().min(1),
  tokenSha256: z.string().regex(/^[0-9a-f]{64}$/u),
  model: z.object({
    id: z.string(),
    provider: z.enum(PROVIDER_KINDS),
    name: z.string(),
    parameters: z.record(z.string(), z.unknown()),
    revision: z.string().optional(),
    recordings: z.object({ name: z.string(), digest: z.string() }).optional(),
    simulation: z
      .object({
        seed: z.number(),
        steps: z.number(),
        judgeTurns: z.number(),
        latencyMs: z.number(),
        errorRate: z.number(),
      })
      .optional(),
    account: z.string(),
  }),
  prices: flatPrices
    .extend({ longContext: flatPrices.extend({ aboveInputTokens: amount }).optional() })
    .optional(),
  limits: z.object({
    maxSteps: amount,
    maxModelRequests: amount,
    workingTimeMs: optionalAmount,
    maxCostMicroUsd: optionalAmount,
    maxTotalTokens: optionalAmount,
    maxOutputTokensPerReply: amount,
    contextWindowTokens: amount,
    memoryBytes: amount,
    cpus: amount,
    pids: amount,
    fileBytes: amount,
    workspaceBytes: amount,
  }),
  context: z.object({
    purpose: z.enum(['agent', 'judge']),
    taskId: z.string(),
    repetition: z.number(),
    subject: z.string().optional(),
    itemId: z.string().optional(),
  }),
  harness: z.object({ name: z.string(), version: z.string() }),
  leaseMs: optionalAmount,
  inactivityTimeoutMs: optionalAmount,
  retryForMs: optionalAmount,
  holdForMs: optionalAmount,
  probeMs: optionalAmount,
});

/**
 * Reads `control/gateway.json`, a file of our own making. Throws `Failure('SandboxLost')` naming the file and every wrong
 * field: whatever damaged it, another attempt has a file of its own.
 */
export function readAttemptSettings(attemptDir: string): GatewayAttempt {
  const path = attemptFiles(attemptDir).gateway;
  try {
    const parsed = attemptSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    // JSON has no undefined, so what zod calls "may be undefined" is absent here.
    return parsed as GatewayAttempt;
  } catch (error) {
    const text = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
    throw new Failure(
      'SandboxLost',
      `the attempt is given up, since its own file ${path} is damaged: ${text}`,
      { cause: error },
    );
  }
}
