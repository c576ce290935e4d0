import { escapeBlock, escapeText } from './escape';

/** The part of an ATIF transcript that is shown. */
export interface Transcript {
  readonly agent?: { readonly name: string; readonly version: string; readonly model_name: string };
  readonly steps: readonly TranscriptStep[];
  readonly notes?: string;
  readonly extra?: Readonly<Record<string, unknown>>;
}

interface TranscriptStep {
  readonly step_id: number;
  readonly timestamp?: string;
  readonly source: string;
  readonly message?: Content;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly {
    readonly function_name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
  }[];
  readonly observation?: { readonly results: readonly { readonly content?: Content }[] };
  readonly metrics?: { readonly prompt_tokens?: number; readonly completion_tokens?: number };
  readonly extra?: Readonly<Record<string, unknown>>;
}

type Content =
  | string
  | readonly {
      readonly type: string;
      readonly text?: string;
      readonly source?: { readonly path: string };
    }[];

/** Of a longer text its two ends are shown: prompts of harnesses and what commands print can be many screens. */
const LONGEST_LINES = 60;
const HEAD_LINES = 40;
const TAIL_LINES = 12;

/** A transcript as plain text; everything in it comes from a model or a tool and is escaped. */
export function printTranscript(transcript: Transcript): string {
  const blocks = [...headOf(transcript), ...transcript.steps.map(stepText)];
  if (transcript.notes !== undefined) blocks.push(escapeBlock(transcript.notes));
  return `${blocks.join('\n')}\n`;
}

/** Who it was and how it ended, in a line. */
function headOf({ agent, extra = {} }: Transcript): string[] {
  if (agent === undefined) return [];
  const facts = [
    `${agent.name} ${agent.version} with ${agent.model_name}`,
    typeof extra['model_steps'] === 'number' ? counted(extra['model_steps'], 'step') : '',
    typeof extra['stop_reason'] === 'string' ? extra['stop_reason'] : '',
    typeof extra['stop_detail'] === 'string' ? extra['stop_detail'] : '',
    extra['incomplete'] === true ? 'incomplete' : '',
  ];
  return [escapeText(facts.filter((fact) => fact !== '').join(', '))];
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

function stepText(step: TranscriptStep): string {
  const head = [step.source, ...factsOf(step), step.timestamp ?? ''].filter((part) => part !== '');
  const lines = [`--- ${step.step_id} ${escapeText(head.join(' '))}`];
  if (step.reasoning_content !== undefined)
    lines.push(prefixed(step.reasoning_content, '(thinks) '));
  const message = contentText(step.message);
  if (message !== '') lines.push(prefixed(message, ''));
  for (const call of step.tool_calls ?? []) {
    lines.push(`call ${escapeText(call.function_name)}`);
    for (const [name, value] of Object.entries(call.arguments))
      lines.push(
        prefixed(
          typeof value === 'string' ? value : JSON.stringify(value),
          `  ${escapeText(name)}: `,
        ),
      );
  }
  for (const result of step.observation?.results ?? [])
    lines.push(prefixed(contentText(result.content), '  = '));
  return lines.join('\n');
}

/** What distinguishes this reply from an ordinary one, and its size. */
function factsOf({ metrics, extra = {} }: TranscriptStep): string[] {
  const { prompt_tokens: input, completion_tokens: output } = metrics ?? {};
  const finish = extra['finish_reason'];
  const usual = finish === 'stop' || finish === 'tool_calls' || typeof finish !== 'string';
  const facts = [
    extra['auxiliary'] === true ? 'auxiliary, no step' : '',
    usual ? '' : `ended by ${finish}`,
    input === undefined || output === undefined ? '' : `${input} + ${output} tokens`,
  ].filter((fact) => fact !== '');
  return facts.length === 0 ? [] : [`(${facts.join('; ')})`];
}

function contentText(content: Content | undefined): string {
  if (content === undefined) return '';
  if (typeof content === 'string') return content;
  return content.map((part) => part.text ?? `[${part.type} ${part.source?.path ?? ''}]`).join('\n');
}

function prefixed(text: string, before: string): string {
  const pad = ' '.repeat(before.length);
  return folded(escapeBlock(text).split('\n'))
    .map((line, index) => `${index === 0 ? before : pad}${line}`)
    .join('\n');
}

function folded(lines: readonly string[]): readonly string[] {
  if (lines.length <= LONGEST_LINES) return lines;
  const left = lines.length - HEAD_LINES - TAIL_LINES;
  return [
    ...lines.slice(0, HEAD_LINES),
    `[... ${left} lines are not shown here; \`run files\` has the whole transcript]`,
    ...lines.slice(-TAIL_LINES),
  ];
}
