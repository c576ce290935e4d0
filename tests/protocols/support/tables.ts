import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type Fate, fateOf, type Run } from './fates';
import * as replies from './replies';
import { chatRun, messagesRun, REQUEST_ROLES, REQUEST_VALUES, UPSTREAMS } from './requests';
import { isTag, Samples } from './samples';
import { type Declarations, type VendorTypes } from './vendor-types';

/**
 * Fates of a type's fields, by code: one letter for each place the value goes to (of a request `openai`, `anthropic`
 * and `openai-responses` accounts; of a reply harnesses of Chat Completions and of Messages). P passed, T translated,
 * D reported by its own name, R refused or left out and reported with what it is part of, I ignored.
 */
type FieldTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A root type of an SDK and what is done with its values. */
export interface Table {
  readonly declarations: Declarations;
  readonly root: string;
  readonly runs: readonly Run[];
  /** Fields that hold what another table lists, or echo the request. */
  readonly closed?: readonly string[];
}

const LETTERS: Readonly<Record<Fate, string>> = {
  passed: 'P',
  translated: 'T',
  reported: 'D',
  refused: 'R',
  ignored: 'I',
};

/** Of a response: what repeats the request. */
const ECHOES = ['instructions', 'prompt', 'tools', 'tool_choice', 'text', 'moderation'];

export const TABLES = {
  chatRequest: {
    declarations: 'chat',
    root: 'ChatCompletionCreateParamsBase',
    runs: UPSTREAMS.map(chatRun),
  },
  messagesRequest: {
    declarations: 'messages',
    root: 'MessageCreateParamsBase',
    runs: UPSTREAMS.map(messagesRun),
  },
  betaMessagesRequest: {
    declarations: 'betaMessages',
    root: 'MessageCreateParamsBase',
    runs: UPSTREAMS.map(messagesRun),
  },
  /** What a harness might put into a chat request in the hope that the provider speaks Responses. */
  responsesRequest: {
    declarations: 'responses',
    root: 'ResponseCreateParamsBase',
    runs: UPSTREAMS.map(chatRun),
  },
  completion: {
    declarations: 'chat',
    root: 'ChatCompletion',
    runs: replies.HARNESSES.map(replies.completionRun),
  },
  chunk: {
    declarations: 'chat',
    root: 'ChatCompletionChunk',
    runs: replies.HARNESSES.map(replies.chunkRun),
  },
  message: {
    declarations: 'messages',
    root: 'Message',
    runs: replies.HARNESSES.map(replies.messageRun),
  },
  messageEvent: {
    declarations: 'messages',
    root: 'RawMessageStreamEvent',
    runs: replies.HARNESSES.map(replies.messageEventRun),
    closed: ['message', 'content_block', 'citation', 'stop_details'],
  },
  response: {
    declarations: 'responses',
    root: 'Response',
    runs: replies.HARNESSES.map(replies.responseRun),
    closed: ECHOES.map((name) => `Response.${name}`),
  },
  responseEvent: {
    declarations: 'responses',
    root: 'ResponseStreamEvent',
    runs: replies.HARNESSES.map(replies.responseEventRun),
    closed: ['response', 'item', 'part', 'annotation'],
  },
} as const satisfies Readonly<Record<string, Table>>;

/** What becomes of every field of a table's types now, by `Type.field`. Fields that only name their type are none. */
export function observed(types: VendorTypes, table: Table): Record<string, string> {
  const isRequest = table.runs.length === UPSTREAMS.length;
  const samples = isRequest
    ? new Samples(types, REQUEST_VALUES, REQUEST_ROLES)
    : new Samples(types, replies.REPLY_VALUES);
  const root = types.type(table.declarations, table.root);
  return Object.fromEntries(
    types
      .objects(root, table.closed)
      .flatMap((object) =>
        object.fields
          .filter((field) => !isTag(types, field))
          .map((field) => [
            `${object.name}.${field.name}`,
            table.runs.map((run) => LETTERS[fateOf(samples, object, field, run)]).join(''),
          ]),
      ),
  );
}

/** What a file of `fields/` says, in the same form as `observed` gives. */
export function listed(name: string): Record<string, string> {
  const file = join(__dirname, '../fields', `${name}.yaml`);
  const table = parse(readFileSync(file, 'utf8')) as FieldTable;
  return Object.fromEntries(
    Object.entries(table).flatMap(([type, fates]) =>
      Object.entries(fates).flatMap(([code, fields]) =>
        fields.split(' ').map((field) => [`${type}.${field}`, code]),
      ),
    ),
  );
}
