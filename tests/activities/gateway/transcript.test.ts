import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AccountGates } from '../../../activities/gateway/account-gate';
import { Attempt } from '../../../activities/gateway/attempt';
import { readAttemptSettings } from '../../../activities/gateway/attempt-settings';
import { NO_FAULTS } from '../../../activities/gateway/fault-point';
import { writeTranscript } from '../../../activities/gateway/transcript-files';
import { type Transcript, transcriptSchema } from '../../../activities/gateway/transcript-schema';
import { type ModelClient } from '../../../activities/models/port';
import { Failure } from '../../../core/failure';
import { SILENT_LOGGER } from '../../../core/logger';
import { type DataFolder, makeDataFolder } from './support/attempt-folder';
import { delivery, mainRequest, START } from './support/harness-requests';
import { scriptedClient, textReply, toolReply } from './support/scripted-client';

type Json = Record<string, unknown>;

function messageOf(reply: Json): Json {
  return (reply['choices'] as { message: Json }[])[0]!.message;
}

describe('the transcript', () => {
  let data: DataFolder;
  let folder: string;
  beforeEach(() => {
    data = makeDataFolder();
    folder = data.attempt({ holdForMs: 0 });
  });
  afterEach(() => {
    data.remove();
  });

  function serve(modelClient: ModelClient): Attempt {
    const dependencies = {
      modelClient,
      now: Date.now,
      logger: SILENT_LOGGER,
      faults: NO_FAULTS,
      gates: new AccountGates(),
    };
    return new Attempt(folder, readAttemptSettings(folder), dependencies, undefined);
  }

  function read(): Transcript {
    const path = writeTranscript(folder, { stopReason: 'completed' });
    return transcriptSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  }

  it('has every step once, with observations at the calls that made them', async () => {
    const attempt = serve(
      scriptedClient((_call, number) => (number < 3 ? toolReply(number) : textReply('done'))),
    );
    const messages: Json[] = [...START];
    for (let number = 1; number <= 3; number++) {
      const outcome = await attempt.deliver(delivery(`d${number}`, mainRequest(messages)));
      if (!('completion' in outcome)) throw new Error('no reply');
      messages.push(messageOf(outcome.completion));
      if (number < 3)
        messages.push({
          role: 'tool',
          tool_call_id: `call-${number}`,
          content: `output ${number}`,
        });
    }
    attempt.release();
    const transcript = read();
    expect(
      transcript.steps.map(({ step_id, source, message }) => [step_id, source, message]),
    ).toEqual([
      [1, 'system', 'You are an agent.'],
      [2, 'user', 'Do the task.'],
      [3, 'agent', ''],
      [4, 'agent', ''],
      [5, 'agent', 'done'],
    ]);
    expect(transcript.steps[2]).toMatchObject({
      tool_calls: [
        { tool_call_id: 'call-1', function_name: 'exec', arguments: { command: 'echo 1' } },
      ],
      observation: { results: [{ source_call_id: 'call-1', content: 'output 1' }] },
      metrics: { prompt_tokens: 100, completion_tokens: 10, cost_usd: 0.00011 },
      llm_call_count: 1,
    });
    expect(transcript.final_metrics).toMatchObject({
      total_prompt_tokens: 300,
      total_cost_usd: 0.00033,
      total_steps: 5,
    });
    expect(transcript.extra).toMatchObject({
      stop_reason: 'completed',
      model_steps: 3,
      gateway_end: null,
    });
    expect(transcript.agent.tool_definitions).toHaveLength(1);
  });

  it('shows that a harness rewrote its context, without telling the story twice', async () => {
    const attempt = serve(scriptedClient((_call, number) => textReply(`reply ${number}`)));
    await attempt.deliver(delivery('a', mainRequest(START)));
    await attempt.deliver(
      delivery('b', mainRequest([START[0]!, { role: 'user', content: 'Summary so far.' }])),
    );
    attempt.release();
    const { steps } = read();
    expect(steps.map(({ source, message }) => [source, message])).toEqual([
      ['system', 'You are an agent.'],
      ['user', 'Do the task.'],
      ['agent', 'reply 1'],
      ['system', 'The harness rewrote its context from message 2 on.'],
      ['user', 'Summary so far.'],
      ['agent', 'reply 2'],
    ]);
    expect(steps[3]?.extra).toEqual({ context_management: { type: 'rewrite', boundary: 1 } });
  });

  it('knows calls and results again that the harness gave other ids', async () => {
    const attempt = serve(
      scriptedClient((_call, number) => (number < 3 ? toolReply(number) : textReply('done'))),
    );
    const messages: Json[] = [...START];
    for (let number = 1; number <= 3; number++) {
      const outcome = await attempt.deliver(delivery(`d${number}`, mainRequest(messages)));
      if (!('completion' in outcome)) throw new Error('no reply');
      const copy = structuredClone(messageOf(outcome.completion));
      for (const call of (copy['tool_calls'] ?? []) as Json[]) call['id'] = `renamed${number}`;
      messages.push(copy);
      messages.push({
        role: 'tool',
        tool_call_id: `renamed${number}`,
        content: `output ${number}`,
      });
    }
    attempt.release();
    const { steps } = read();
    expect(steps.map(({ source }) => source)).toEqual([
      'system',
      'user',
      'agent',
      'agent',
      'agent',
    ]);
    for (const number of [1, 2])
      expect(steps[number + 1]?.observation).toEqual({
        results: [{ source_call_id: `call-${number}`, content: `output ${number}` }],
      });
  });

  it('keeps images as files beside it', async () => {
    const bytes = Buffer.from('picture');
    const url = `data:image/jpeg;base64,${bytes.toString('base64')}`;
    const picture = {
      role: 'user',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image_url', image_url: { url } },
      ],
    };
    const attempt = serve(scriptedClient(() => textReply('seen')));
    await attempt.deliver(delivery('a', mainRequest([...START, picture])));
    attempt.release();
    const { steps } = read();
    const parts = steps[2]?.message as { type: string; source?: { path: string } }[];
    const path = join(dirname(writeTranscript(folder)), parts[1]?.source?.path ?? '');
    expect(readFileSync(path)).toEqual(bytes);
  });

  it('shows requests without a reply and arguments that are no JSON', async () => {
    const broken = toolReply(1);
    (
      messageOf(broken)['tool_calls'] as { function: { arguments: string } }[]
    )[0]!.function.arguments = '{"command": "ls';
    const attempt = serve(
      scriptedClient((_call, number) => {
        if (number === 1) return broken;
        throw new Failure('ProviderUnavailable', 'no reply after 9 tries', { cause: { tries: 9 } });
      }),
    );
    await attempt.deliver(delivery('a', mainRequest(START)));
    await attempt.deliver(delivery('b', mainRequest(START)));
    attempt.release();
    const { steps, extra } = read();
    expect(steps[2]?.tool_calls?.[0]?.arguments).toEqual({ raw: '{"command": "ls' });
    expect(steps.at(-1)).toMatchObject({
      source: 'system',
      message: 'A model request got no reply: no reply after 9 tries',
      extra: { error: { outcome: 'trouble', type: 'ProviderUnavailable' } },
    });
    expect(extra).toMatchObject({ trouble: { type: 'ProviderUnavailable' } });
  });

  it('exists also for an agent that asked nothing, and can be written again', () => {
    const { steps } = read();
    expect(steps).toEqual([
      { step_id: 1, source: 'system', message: 'The harness made no model request.' },
    ]);
    expect(existsSync(writeTranscript(folder))).toBe(true);
  });
});
