import { z } from 'zod';
import { ID_PART } from '../core/ids';
import { DEFAULT_TIMINGS, MAX_JUDGING_TIME_MS, MAX_WORKING_TIME_MS } from '../core/limits';
import { DEFAULT_JUDGE_LIMITS, HARNESS_NAMES, JUDGE_MODES } from '../core/sweep';
import { plainIssues } from './located-yaml';
import { secretPaths } from './looks-secret';
import { bytesSchema, durationSchema, durationUpTo, usdSchema } from './units';

const id = z.string().regex(ID_PART, 'must be 1 to 60 of a-z, 0-9, dot, dash and underscore');
const name = z.string().trim().min(1, 'must not be empty');
/** They go into the plan in the store and into every request. */
const parameters = z
  .record(z.string(), z.json())
  .superRefine((given, context) => {
    for (const path of secretPaths(given))
      context.addIssue({
        code: 'custom',
        path,
        message:
          'looks like a key, and parameters are kept in the store and shown: leave it out, and name the key by ' +
          "keyEnv or keyFile at the model's account in providers.yaml",
      });
  })
  .optional();

const catalogModel = z.strictObject({
  id: id.optional(),
  model: name,
  account: id.optional(),
  parameters,
  /** A YAML date comes as a date; revisions are texts. */
  revision: z
    .union([z.string().min(1), z.date().transform((date) => date.toISOString().slice(0, 10))])
    .optional(),
});
const replayModel = z.strictObject({ id, provider: z.literal('replay'), recordings: id });
const simulatedModel = z.strictObject({
  id,
  provider: z.literal('simulated'),
  seed: z.int().default(1),
  steps: z.int().min(1).max(10_000).default(20),
  judgeTurns: z.int().min(1).max(100).default(1),
  latencyMs: z.int().min(0).max(3_600_000).default(0),
  errorRate: z.number().min(0).max(1).default(0),
});
/** One model of a sweep file. */
export const modelSchema = z.unknown().transform((given, context) => {
  if (typeof given === 'string' && given !== '') return { model: given };
  if (typeof given !== 'object' || given === null) {
    context.addIssue({ code: 'custom', message: 'write a model name, or { id, model, ... }' });
    return z.NEVER;
  }
  const provider = (given as { provider?: unknown } | null)?.provider;
  const schema =
    provider === 'replay' ? replayModel : provider === 'simulated' ? simulatedModel : catalogModel;
  if (provider !== undefined && schema === catalogModel) {
    context.addIssue({
      code: 'custom',
      path: ['provider'],
      message: 'must be replay or simulated; for every other model give `model` and its `account`',
    });
    return z.NEVER;
  }
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  for (const { path, message } of parsed.error.issues.flatMap(plainIssues))
    context.addIssue({ code: 'custom', path: [...path], message });
  return z.NEVER;
});

const onOff = z.union([z.boolean(), z.enum(['on', 'off']).transform((text) => text === 'on')], {
  error: 'must be on or off',
});
const MAX_WORKING_DAYS = MAX_WORKING_TIME_MS / 86_400_000;
const limitsSchema = z.strictObject({
  maxSteps: z.int().min(1).max(100_000).optional(),
  maxModelRequests: z.int().min(1).max(1_000_000).optional(),
  /** `none` = no limit. */
  workingTime: z
    .union([z.literal('none'), durationUpTo(MAX_WORKING_DAYS)], {
      error: `write a duration like 2h, of at most ${MAX_WORKING_DAYS}d, or none`,
    })
    .optional(),
  maxCostUsd: usdSchema.optional(),
  maxTotalTokens: z.int().positive().optional(),
  maxOutputTokensPerReply: z.int().positive().optional(),
  contextWindowTokens: z.int().positive().optional(),
  memory: bytesSchema
    .refine((bytes) => bytes >= 64 * 1024 ** 2, 'must be at least 64MiB')
    .optional(),
  cpus: z.number().min(0.01).max(1_024).optional(),
  processes: z.int().min(16).max(4_194_304).optional(),
  fileSize: bytesSchema.optional(),
  workspaceSize: bytesSchema.optional(),
});
const judgeLimitsSchema = z
  .strictObject({
    maxTurns: z.int().min(1).max(1_000).optional(),
    maxImages: z.int().min(0).max(1_000).optional(),
    workingTime: durationSchema.optional(),
    maxRepairs: z.int().min(0).max(20).optional(),
    maxSessions: z.int().min(1).max(20).optional(),
  })
  .superRefine(({ workingTime, maxSessions }, context) => {
    const sessions = maxSessions ?? DEFAULT_JUDGE_LIMITS.maxSessions;
    const longest = workingTime ?? DEFAULT_JUDGE_LIMITS.workingTimeMs;
    if (sessions * longest <= MAX_JUDGING_TIME_MS) return;
    const hours = MAX_JUDGING_TIME_MS / 3_600_000;
    context.addIssue({
      code: 'custom',
      path: [workingTime === undefined ? 'maxSessions' : 'workingTime'],
      message:
        `${sessions} sessions of ${longest / 60_000} minutes are more than the ${hours} hours that the judging ` +
        'of one item may take: shorten workingTime or lower maxSessions',
    });
  });
const judgeSchema = z.strictObject({
  model: modelSchema,
  mode: z
    .enum(JUDGE_MODES, {
      error: `must be ${JUDGE_MODES.join(' or ')}: this version has no other mode of judging`,
    })
    .default('per-item'),
  votes: z.literal(1, { error: 'must be 1: this version takes one vote for each item' }).default(1),
  checks: onOff.default(true),
  limits: judgeLimitsSchema.optional(),
});
const timingsSchema = z
  .strictObject({
    heartbeatTimeout: durationSchema.optional(),
    heartbeatInterval: durationSchema.optional(),
    hostSilence: durationSchema.optional(),
    lease: durationSchema.optional(),
    warmUp: durationSchema.optional(),
    activityRetryInitial: durationSchema.optional(),
    activityRetryTotal: durationSchema.optional(),
    journalCopy: durationSchema.optional(),
    holdAfter: durationSchema.optional(),
    holdFor: durationSchema.optional(),
    holdProbe: durationSchema.optional(),
  })
  .superRefine(({ heartbeatInterval, heartbeatTimeout }, context) => {
    const interval = heartbeatInterval ?? DEFAULT_TIMINGS.heartbeatIntervalMs;
    const timeout = heartbeatTimeout ?? DEFAULT_TIMINGS.heartbeatTimeoutMs;
    if (interval >= timeout)
      context.addIssue({
        code: 'custom',
        path: [heartbeatTimeout === undefined ? 'heartbeatInterval' : 'heartbeatTimeout'],
        message: `the heartbeat every ${interval} ms must be shorter than its timeout of ${timeout} ms`,
      });
  });
/** Task folders and globs of a sweep file. */
export const tasksSchema = z.array(name).min(1, 'must name at least one task folder');
const modelsSchema = z.array(modelSchema).min(1, 'must name at least one model');
const harnessesSchema = z
  .array(z.enum(HARNESS_NAMES, { error: `must be one of ${HARNESS_NAMES.join(', ')}` }))
  .min(1, 'must name at least one harness');
const sweepSchema = z.strictObject({
  sweep: id,
  cohort: id.optional(),
  tasks: tasksSchema,
  models: modelsSchema,
  harnesses: harnessesSchema,
  /** Ids of imported submissions. */
  submissions: z.array(id).default([]),
  /** Text of the attachments in `_parsed/`. */
  parsed: onOff.default(false),
  repetitions: z.int().min(1).max(1_000).default(1),
  limits: limitsSchema.default({}),
  judge: judgeSchema,
  window: z.int().min(1).max(500).default(8),
  budget: z.strictObject({ maxCostUsd: usdSchema }).optional(),
  timings: timingsSchema.default({}),
});
/** Lanes of our own may be left out where imported ones are named; a model without a harness may not. */
const importedSweepSchema = sweepSchema.extend({
  models: modelsSchema.default([]),
  harnesses: harnessesSchema.default([]),
});

/** The schema of a sweep file; unknown fields are refused. */
export function sweepSchemaFor(content: unknown): typeof sweepSchema | typeof importedSweepSchema {
  const given = (content ?? {}) as Readonly<Record<string, unknown>>;
  const isImported = Array.isArray(given['submissions']) && given['submissions'].length > 0;
  const hasOwn = given['models'] !== undefined || given['harnesses'] !== undefined;
  return isImported && !hasOwn ? importedSweepSchema : sweepSchema;
}
export type GivenSweep = z.infer<typeof sweepSchema>;
