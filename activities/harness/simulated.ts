import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type HarnessIdentity } from '../../core/sweep';
import { AGENT_PROMPT } from './prompt';
import { type DeliverInput, type HarnessAdapter } from './port';
import { GatewayConnection } from './gateway-connection';
import { resultPath, withoutSandbox } from './without-sandbox';

/** First line of what the simulated harness delivers; simulated judges quote it. */
export const SIMULATED_REPORT_TITLE = 'Simulated report';
const REPORT = 'report.md';

interface Message {
  readonly content?: string | null;
  readonly tool_calls?: readonly { readonly id: string }[];
}

const TOOLS = [
  {
    type: 'function',
    function: {
      name: 'work',
      description: 'Does nothing.',
      parameters: { type: 'object', properties: {} },
    },
  },
];

/**
 * An agent without a container, for scale tests: it drives the loop through the attempt's real gateway. Its delivery
 * ids are the same in every try, so that a repeated activity gets its answers from the journal, unpaid.
 */
export function simulatedHarness(identity: HarnessIdentity): HarnessAdapter {
  return { ...withoutSandbox(identity), usesModel: true, deliver };
}

async function deliver(input: DeliverInput): Promise<void> {
  const gateway = new GatewayConnection(input.gatewaySocket, input.token);
  try {
    const text = await runLoop(gateway, input);
    const target = resultPath(input.workspace, REPORT);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, `${SIMULATED_REPORT_TITLE}\n\n${text}\n`);
  } finally {
    gateway.close();
  }
}

/** Until the model calls no tool, or a request is refused: why, is in the gateway's own log. */
async function runLoop(gateway: GatewayConnection, input: DeliverInput): Promise<string> {
  const messages: unknown[] = [{ role: 'user', content: AGENT_PROMPT }];
  for (let turn = 1; ; turn++) {
    const body = {
      model: 'simulated',
      messages,
      tools: TOOLS,
      tool_choice: 'auto',
      max_tokens: input.limits.maxOutputTokensPerReply,
    };
    const reply = await gateway.post(
      '/v1/chat/completions',
      body,
      `simulated-${turn}`,
      input.signal,
    );
    if (reply.status !== 200) return `The model request failed with HTTP ${reply.status}.`;
    const message = firstMessage(reply.body);
    const calls = message.tool_calls ?? [];
    if (calls.length === 0) return message.content ?? '';
    messages.push({ role: 'assistant', content: message.content ?? null, tool_calls: calls });
    for (const call of calls)
      messages.push({ role: 'tool', tool_call_id: call.id, content: 'done' });
  }
}

function firstMessage(body: string): Message {
  const completion = JSON.parse(body) as { choices?: readonly { message?: Message }[] };
  return completion.choices?.[0]?.message ?? {};
}
