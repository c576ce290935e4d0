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
  readonly llm_call_count?: number;
  readonly tool_calls?: readonly ToolCall[];
  readonly observation?: { readonly results: readonly ToolResult[] };
  readonly metrics?: { readonly prompt_tokens?: number; readonly completion_tokens?: number };
  readonly extra?: Readonly<Record<string, unknown>>;
}

interface ToolCall {
  readonly tool_call_id?: string;
  readonly function_name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

interface ToolResult {
  readonly source_call_id?: string;
  readonly content?: Content;
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
/** Of a longer line likewise: a program may print a megabyte without a line break. */
const LONGEST_LINE = 2_000;
const LINE_END_CHARACTERS = 900;
/** A shorter text is shown again where it comes again. */
const REPEATED_CHARACTERS = 200;
/** A longer value of an argument is shown with line breaks. */
const ONE_LINE_JSON = 80;

/** A transcript as plain text; everything in it comes from a model or a tool and is escaped. */
export function printTranscript(transcript: Transcript): string {
  const blocks = headOf(transcript);
  const shown = new Map<string, number>();
  let modelSteps = 0;
  for (const step of transcript.steps) {
    const isStep = step.llm_call_count === 1 && step.extra?.['auxiliary'] !== true;
    if (isStep) modelSteps++;
    blocks.push(stepText(step, isStep ? modelSteps : undefined, shown));
  }
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

/** `modelStep` = its number among those that the step cap counts; `shown` = where a long message was shown before. */
function stepText(
  step: TranscriptStep,
  modelStep: number | undefined,
  shown: Map<string, number>,
): string {
  const facts = factsOf(step, modelStep);
  const head = [step.source, ...facts, step.timestamp ?? ''].filter((part) => part !== '');
  const lines = [`--- ${step.step_id} ${escapeText(head.join(' '))}`];
  if (step.reasoning_content !== undefined)
    lines.push(prefixed(step.reasoning_content, '(thinks) '));
  const message = contentText(step.message).trimEnd();
  const before = shown.get(message);
  if (before !== undefined) lines.push(`(the text of ${before} again)`);
  else if (message !== '') lines.push(prefixed(message, ''));
  if (before === undefined && message.length >= REPEATED_CHARACTERS)
    shown.set(message, step.step_id);
  lines.push(...callLines(step));
  return lines.join('\n');
}

/** Each call with its results below it; then results whose call is not known. */
function callLines({ tool_calls: calls = [], observation }: TranscriptStep): string[] {
  const results = observation?.results ?? [];
  const idOf = (result: ToolResult) => result.source_call_id;
  const known = new Set(calls.flatMap(({ tool_call_id: id }) => id ?? []));
  const others = results.filter((result) => !known.has(idOf(result) ?? ''));
  const lines = calls.flatMap((call) => {
    const own = results.filter(
      (result) => call.tool_call_id !== undefined && idOf(result) === call.tool_call_id,
    );
    return [
      `call ${escapeText(call.function_name)}`,
      ...fieldLines(call.arguments, '  '),
      ...own.map(resultText),
      ...(own.length + others.length === 0 ? ['  (no result)'] : []),
    ];
  });
  return [...lines, ...others.map(resultText)];
}

function resultText({ content }: ToolResult): string {
  const text = contentText(content).trimEnd();
  const [first, ...others] = fieldLines(wrappedText(text) ?? {}, '    ');
  if (first === undefined) return prefixed(text, '  = ');
  return [`  = ${first.slice(4)}`, ...others].join('\n');
}

/** Some harnesses wrap what a tool said in JSON, where no line can be read: its fields. Other JSON stays as it is. */
function wrappedText(text: string): Readonly<Record<string, unknown>> | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const fields = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const hasLines = Object.values(fields).some(
      (value) => typeof value === 'string' && value.includes('\n'),
    );
    return hasLines ? fields : undefined;
  } catch {
    return undefined;
  }
}

function fieldLines(fields: Readonly<Record<string, unknown>>, indent: string): string[] {
  return Object.entries(fields).map(([name, value]) => {
    const compact = typeof value === 'string' ? value : JSON.stringify(value);
    const isLong = typeof value !== 'string' && compact.length > ONE_LINE_JSON;
    const text = isLong ? JSON.stringify(value, undefined, 2) : compact.trimEnd();
    return prefixed(text, `${indent}${escapeText(name)}: `);
  });
}

/** What distinguishes this reply from an ordinary one, and its size. */
function factsOf({ metrics, extra = {} }: TranscriptStep, modelStep: number | undefined): string[] {
  const { prompt_tokens: input, completion_tokens: output } = metrics ?? {};
  const finish = extra['finish_reason'];
  const usual = finish === 'stop' || finish === 'tool_calls' || typeof finish !== 'string';
  const facts = [
    modelStep === undefined ? '' : `step ${modelStep}`,
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
    .map(cut)
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

function cut(line: string): string {
  if (line.length <= LONGEST_LINE) return line;
  const left = line.length - 2 * LINE_END_CHARACTERS;
  return `${line.slice(0, LINE_END_CHARACTERS)} [... ${left} characters ...] ${line.slice(-LINE_END_CHARACTERS)}`;
}
