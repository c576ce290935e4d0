import { z } from 'zod';

/**
 * The part of the Agent Trajectory Interchange Format (ATIF v1.7) that we write. Readers of the format allow unknown
 * members; we refuse to write any.
 */
const contentPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({
    type: z.literal('image'),
    source: z.strictObject({ media_type: z.string(), path: z.string() }),
  }),
]);
const content = z.union([z.string(), z.array(contentPart)]);
const extra = z.record(z.string(), z.unknown());

const toolCall = z.strictObject({
  tool_call_id: z.string(),
  function_name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});
const observationResult = z.strictObject({
  source_call_id: z.string().optional(),
  content: content.optional(),
});
const metrics = z.strictObject({
  /** Cached ones included. */
  prompt_tokens: z.int().optional(),
  completion_tokens: z.int().optional(),
  cached_tokens: z.int().optional(),
  cost_usd: z.number().optional(),
  extra: extra.optional(),
});
const step = z.strictObject({
  step_id: z.int().min(1),
  timestamp: z.iso.datetime().optional(),
  source: z.enum(['system', 'user', 'agent']),
  model_name: z.string().optional(),
  message: content,
  reasoning_content: z.string().optional(),
  tool_calls: z.array(toolCall).optional(),
  observation: z.strictObject({ results: z.array(observationResult) }).optional(),
  metrics: metrics.optional(),
  llm_call_count: z.int().optional(),
  is_copied_context: z.boolean().optional(),
  extra: extra.optional(),
});

export const transcriptSchema = z.strictObject({
  schema_version: z.literal('ATIF-v1.7'),
  session_id: z.string(),
  trajectory_id: z.string(),
  agent: z.strictObject({
    name: z.string(),
    version: z.string(),
    model_name: z.string(),
    tool_definitions: z.array(z.unknown()).optional(),
    extra: extra.optional(),
  }),
  steps: z.array(step).min(1),
  notes: z.string().optional(),
  final_metrics: z.strictObject({
    total_prompt_tokens: z.int(),
    total_completion_tokens: z.int(),
    total_cached_tokens: z.int(),
    total_cost_usd: z.number().optional(),
    total_steps: z.int(),
  }),
  extra: extra.optional(),
});

export type Transcript = z.infer<typeof transcriptSchema>;
export type TranscriptStep = z.infer<typeof step>;
export type TranscriptContent = z.infer<typeof content>;
export type TranscriptToolCall = z.infer<typeof toolCall>;
