import { type Account } from '../../core/account';
import { isObject, objectsOf } from '../../core/anthropic/json';
import { Failure, type FailureType } from '../../core/failure';
import { type MicroUsd } from '../../core/money';
import { describeProblem } from './check-problem';
import { type ProviderRefusal } from './model-client';
import { type ModelClient, type ModelReply } from './port';

/** `unclear`: the model answered, but not in a way that shows it. */
export type Ability = 'yes' | 'no' | 'unclear';

/** What a tiny call showed of one model. */
export interface ModelCheck {
  readonly account: string;
  readonly model: string;
  readonly answered: boolean;
  /** The reply came as a stream; otherwise the account has streaming off, or the provider does not stream. */
  readonly streamed: boolean;
  readonly tools: Ability;
  readonly images: Ability;
  /** The reply said how many tokens it took. */
  readonly usage: boolean;
  readonly reportedModel?: string;
  /** Absent where the price or the tokens are unknown. */
  readonly costMicroUsd?: MicroUsd;
  readonly durationMs?: number;
  /** Why there was no answer, or not to everything that was asked; a sentence. */
  readonly problem?: string;
  /** What kind of trouble `problem` is, where the provider or the account made it. */
  readonly problemType?: FailureType;
}

/** 64 by 64 pixels of plain red. */
const RED_PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAS0lEQVR42u3PQQkAAAgAsetfWiP4FgYrsKZeS0BAQEBAQEBAQEBA' +
  'QEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEDgsqnc8OJg6Ln3AAAAAElFTkSuQmCC';
const TOOL = {
  type: 'function',
  function: {
    name: 'report_colour',
    description: 'Reports the colour that was seen.',
    parameters: {
      type: 'object',
      properties: { colour: { type: 'string', description: 'One English word' } },
      required: ['colour'],
    },
  },
};
const PROMPT = 'Call the tool report_colour with the colour of the image, in one English word.';
/** Room for models that think first. */
const MAX_TOKENS = 2_000;
const INACTIVITY_MS = 60_000;
const RETRY_FOR_MS = 5_000;

interface Question {
  readonly tools: boolean;
  readonly image: boolean;
}

/** Asked until one is not refused: each next one wants less. */
const QUESTIONS: readonly Question[] = [
  { tools: true, image: true },
  { tools: true, image: false },
  { tools: false, image: false },
];

/** Makes one tiny call, and smaller ones only where the provider refuses it. Never throws for what a provider does. */
export async function checkModel(
  client: ModelClient,
  account: Pick<Account, 'name' | 'protocol'>,
  model: string,
): Promise<ModelCheck> {
  const facts = { account: account.name, model };
  let trouble: Pick<ModelCheck, 'problem' | 'problemType'> = {};
  for (const question of QUESTIONS) {
    try {
      const reply = await ask(client, account, model, question);
      return { ...facts, ...trouble, ...found(reply, question) };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const refused = isRefusal(error);
      const problem = describeProblem(error, account.protocol);
      // The last refusal counts: it is of the smallest thing that was refused.
      trouble = {
        problem: refused ? `${askedWith(question)}${problem}` : problem,
        problemType: error.type,
      };
      if (!refused) break;
    }
  }
  return { ...facts, ...unanswered(trouble) };
}

/** What is known of a model that gave no answer. */
export function unanswered(
  trouble: Pick<ModelCheck, 'problem' | 'problemType'>,
): Omit<ModelCheck, 'account' | 'model'> {
  return {
    answered: false,
    streamed: false,
    tools: 'unclear',
    images: 'unclear',
    usage: false,
    ...trouble,
  };
}

function askedWith({ tools, image }: Question): string {
  return image ? 'with an image and a tool: ' : tools ? 'with a tool: ' : '';
}

/** The provider has understood the request and does not want it. */
function isRefusal(failure: Failure): boolean {
  const { status } = (failure.options.cause ?? {}) as Partial<ProviderRefusal>;
  return failure.type === 'InvalidInput' || status === 404;
}

function ask(
  client: ModelClient,
  account: Pick<Account, 'name' | 'protocol'>,
  model: string,
  { tools, image }: Question,
): Promise<ModelReply> {
  const url = `data:image/png;base64,${RED_PNG}`;
  const content = image
    ? [
        { type: 'text', text: PROMPT },
        { type: 'image_url', image_url: { url } },
      ]
    : tools
      ? 'Call the tool report_colour with the colour red.'
      : 'Say: red.';
  return client.complete({
    model: {
      id: model,
      provider: account.protocol,
      name: model,
      parameters: {},
      account: account.name,
    },
    body: {
      messages: [{ role: 'user', content }],
      max_tokens: MAX_TOKENS,
      ...(tools ? { tools: [TOOL], tool_choice: 'auto' } : {}),
    },
    context: { purpose: 'agent', taskId: 'account-check', repetition: 1 },
    inactivityTimeoutMs: INACTIVITY_MS,
    retryForMs: RETRY_FOR_MS,
  });
}

function found(reply: ModelReply, question: Question): Omit<ModelCheck, 'account' | 'model'> {
  const { tools, image } = question;
  const choice = objectsOf(reply.completion['choices'])[0] ?? {};
  const message = isObject(choice['message']) ? choice['message'] : {};
  const called = objectsOf(message['tool_calls']).some(
    (call) => isObject(call['function']) && call['function']['name'] === TOOL.function.name,
  );
  const sawRed = /\bred\b/iu.test(JSON.stringify([message['content'], message['tool_calls']]));
  const problem = shortcoming(question, called, sawRed, choice['finish_reason']);
  return {
    answered: true,
    streamed: reply.streamed === true,
    tools: !tools ? 'no' : called ? 'yes' : 'unclear',
    images: !image ? 'no' : sawRed ? 'yes' : 'unclear',
    usage: reply.usage !== undefined,
    ...(reply.reportedModel === undefined ? {} : { reportedModel: reply.reportedModel }),
    ...(reply.costMicroUsd === undefined ? {} : { costMicroUsd: reply.costMicroUsd }),
    durationMs: reply.durationMs,
    ...(problem === undefined ? {} : { problem }),
  };
}

/** What an answer left open of what was asked. */
function shortcoming(
  { tools, image }: Question,
  called: boolean,
  sawRed: boolean,
  finish: unknown,
): string | undefined {
  if (tools && !called)
    return finish === 'length'
      ? `its reply was cut at ${MAX_TOKENS} tokens before it called the tool`
      : 'it answered without calling the tool that it was told to call';
  return image && !sawRed ? 'it did not name the colour of the image, plain red' : undefined;
}
