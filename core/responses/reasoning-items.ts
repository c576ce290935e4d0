import { isObject, type Json, objectsOf, textOf } from '../anthropic/json';

/** Format of the entries of `reasoning_details` that stand for items of the Responses API. */
const FORMAT = 'openai-responses-v1';
/** Type of the entry that says where a text stood and what phase it was; chat messages have one text only. */
const TEXT_PLACE = 'response.text';

/** A text of a reply and where it stood among the items. */
export interface PlacedText {
  readonly index: number;
  readonly text: string;
  readonly phase: string | undefined;
}

/**
 * Reasoning items and the places of texts as fields of a chat message. `items` are placed by their index. One text
 * without a phase before all calls (from the index `firstCall` on) needs no place: that is where it would be put.
 */
export function reasoningFields(
  items: readonly (readonly [number, Json])[],
  texts: readonly PlacedText[],
  firstCall: number,
): Json {
  const details = items.flatMap(([index, item]) => detailsOf(item, index));
  const summary = details.map((detail) => textOf(detail['summary'] ?? detail['text']));
  const text = summary.filter((part) => part !== '').join('\n\n');
  const special =
    texts.length > 1 || texts.some(({ phase, index }) => phase !== undefined || index > firstCall);
  const places = special ? texts.map(placeOf) : [];
  const all = [...details, ...places];
  return {
    ...(text === '' ? {} : { reasoning_content: text }),
    ...(all.length === 0 ? {} : { reasoning_details: all }),
  };
}

function placeOf({ index, text, phase }: PlacedText): Json {
  return {
    type: TEXT_PLACE,
    format: FORMAT,
    index,
    characters: text.length,
    ...(phase === undefined ? {} : { phase }),
  };
}

function detailsOf(item: Json, index: number): Json[] {
  const head = {
    format: FORMAT,
    index,
    ...(typeof item['id'] === 'string' ? { id: item['id'] } : {}),
  };
  const encrypted = item['encrypted_content'];
  return [
    ...objectsOf(item['summary']).map((part) => ({
      type: 'reasoning.summary',
      summary: textOf(part['text']),
      ...head,
    })),
    ...objectsOf(item['content']).map((part) => ({
      type: 'reasoning.text',
      text: textOf(part['text']),
      ...head,
    })),
    ...(typeof encrypted === 'string' && encrypted !== ''
      ? [{ type: 'reasoning.encrypted', data: encrypted, ...head }]
      : []),
  ];
}

/** What a chat message keeps of the items that a Responses provider gave with it. */
export interface KeptItems {
  /** Reasoning items by their place, complete enough to be sent back. */
  readonly reasoning: ReadonlyMap<number, Json>;
  readonly texts: readonly {
    readonly index: number;
    readonly characters: number;
    phase?: string;
  }[];
  /** Reasoning without encrypted content or text: the provider, which stores nothing, could not read it. */
  readonly unusable: boolean;
}

export function keptItems(message: Json): KeptItems {
  const groups = new Map<number, Json[]>();
  const texts: { index: number; characters: number; phase?: string }[] = [];
  for (const detail of objectsOf(message['reasoning_details'])) {
    const { format, index } = detail;
    if (format !== FORMAT || typeof index !== 'number') continue;
    if (detail['type'] === TEXT_PLACE) {
      const { characters, phase } = detail;
      texts.push({
        index,
        characters: typeof characters === 'number' ? characters : 0,
        ...(typeof phase === 'string' ? { phase } : {}),
      });
    } else groups.set(index, [...(groups.get(index) ?? []), detail]);
  }
  const items = [...groups].map(([index, details]) => [index, itemOf(details)] as const);
  const usable = items.filter(([, item]) => 'encrypted_content' in item || 'content' in item);
  return { reasoning: new Map(usable), texts, unusable: usable.length < items.length };
}

function itemOf(details: readonly Json[]): Json {
  const of = (type: string): Json[] => details.filter((detail) => detail['type'] === type);
  const content = of('reasoning.text').map(({ text }) => ({ type: 'reasoning_text', text }));
  const encrypted = of('reasoning.encrypted')[0]?.['data'];
  const id = details.find((detail) => isObject(detail) && typeof detail['id'] === 'string')?.['id'];
  return {
    type: 'reasoning',
    ...(id === undefined ? {} : { id }),
    summary: of('reasoning.summary').map(({ summary }) => ({
      type: 'summary_text',
      text: summary,
    })),
    ...(content.length === 0 ? {} : { content }),
    ...(encrypted === undefined ? {} : { encrypted_content: encrypted }),
  };
}

/** Whether a chat message has reasoning of which nothing came from a Responses provider. */
export function hasForeignReasoning(message: Json, kept: KeptItems): boolean {
  if (kept.reasoning.size > 0 || kept.unusable) return false;
  const text = textOf(message['reasoning_content']) || textOf(message['reasoning']);
  const details = objectsOf(message['reasoning_details']);
  return text !== '' || details.some((detail) => detail['format'] !== FORMAT);
}
