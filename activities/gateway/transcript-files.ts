import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attemptFiles } from './attempt-files';
import { readAttemptSettings } from './attempt-settings';
import { applyFrame, emptyState, toGatewayLog } from './attempt-state';
import { readJournal } from './journal-file';
import { type BegunFrame, type EndedFrame, type ImageFrame } from './journal-frames';
import { MessageStore } from './message-store';
import { type GatewayAttempt, type GatewayLog, type TranscriptEnd } from './port';
import { TranscriptBuilder } from './transcript-builder';
import { type ImageFile } from './transcript-content';
import { type Transcript, transcriptSchema } from './transcript-schema';

const EXTENSIONS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'image/png': 'png',
    'image/jpeg': 'jpg',
    'image/gif': 'gif',
    'image/webp': 'webp',
  }),
);

interface ReadExchange {
  readonly begun: BegunFrame;
  readonly messages: readonly number[];
}

/**
 * Writes `control/transcript/transcript.json` (ATIF v1.7) and its images from the attempt's journal; returns the
 * path. Writing it again gives the same. Throws `Failure('SandboxLost')` when the attempt's `gateway.json` is damaged.
 */
export function writeTranscript(attemptDir: string, end?: TranscriptEnd): string {
  const files = attemptFiles(attemptDir);
  const settings = readAttemptSettings(attemptDir);
  mkdirSync(join(files.transcriptDir, 'images'), { recursive: true, mode: 0o700 });
  const state = emptyState();
  const store = new MessageStore();
  const blobs = new Map<number, unknown>();
  const images = new Map<string, ImageFile>();
  const exchanges: ReadExchange[] = [];
  const ends = new Map<number, EndedFrame>();
  const unanswered = new Set<number>();
  readJournal(files.journal, (frame) => {
    applyFrame(state, frame);
    if (frame.t === 'begun') exchanges.push({ begun: frame, messages: store.messagesOf(frame) });
    store.apply(frame);
    if (frame.t === 'blob') blobs.set(frame.n, frame.value);
    else if (frame.t === 'image') images.set(frame.sha256, writeImage(files.transcriptDir, frame));
    else if (frame.t === 'ended') ends.set(frame.e, frame);
    else if (frame.t === 'unanswered') unanswered.add(frame.e);
  });
  const builder = new TranscriptBuilder({ blobs, images });
  for (const { begun, messages } of exchanges)
    if (!unanswered.has(begun.e)) builder.add(begun, messages, ends.get(begun.e));
  const tools = exchanges.find(({ begun }) => begun.kind === 'main')?.begun.request.tools;
  const definitions = tools === undefined ? undefined : blobs.get(tools);
  const transcript = assemble(settings, toGatewayLog(state), builder, definitions, end);
  const path = join(files.transcriptDir, 'transcript.json');
  writeFileSync(`${path}.part`, JSON.stringify(transcriptSchema.parse(transcript)), {
    mode: 0o600,
  });
  renameSync(`${path}.part`, path);
  return path;
}

function writeImage(folder: string, frame: ImageFrame): ImageFile {
  const path = `images/${frame.sha256}.${EXTENSIONS.get(frame.mediaType) ?? 'bin'}`;
  writeFileSync(join(folder, path), Buffer.from(frame.base64, 'base64'), { mode: 0o600 });
  return { mediaType: frame.mediaType, path };
}

function assemble(
  settings: GatewayAttempt,
  log: GatewayLog,
  { steps }: TranscriptBuilder,
  definitions: unknown,
  end: TranscriptEnd | undefined,
): Transcript {
  const { traffic } = log;
  if (steps.length === 0)
    steps.push({ step_id: 1, source: 'system', message: 'The harness made no model request.' });
  return {
    schema_version: 'ATIF-v1.7',
    session_id: settings.attemptId,
    trajectory_id: settings.attemptId,
    agent: {
      name: settings.harness.name,
      version: settings.harness.version,
      model_name: settings.model.name,
      ...(Array.isArray(definitions) ? { tool_definitions: definitions as unknown[] } : {}),
    },
    steps,
    final_metrics: {
      total_prompt_tokens: traffic.usage.inputTokens,
      total_completion_tokens: traffic.usage.outputTokens,
      total_cached_tokens: traffic.usage.cachedInputTokens,
      ...(traffic.costMicroUsd === undefined
        ? {}
        : { total_cost_usd: traffic.costMicroUsd / 1_000_000 }),
      total_steps: steps.length,
    },
    extra: {
      run_id: settings.runId,
      provider: settings.model.provider,
      model_steps: traffic.steps,
      model_requests: traffic.modelRequests,
      auxiliary_requests: traffic.auxiliaryRequests,
      upstream_calls: traffic.upstreamCalls,
      incomplete: traffic.incomplete || end?.incomplete === true,
      gateway_end: log.end ?? null,
      ...(log.trouble === undefined ? {} : { trouble: log.trouble }),
      ...(end === undefined
        ? {}
        : { stop_reason: end.stopReason, stop_detail: end.stopDetail ?? null }),
    },
  };
}
