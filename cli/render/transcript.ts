import { escapeBlock, escapeText } from './escape';

/** The part of an ATIF transcript that is shown. */
export interface Transcript {
  readonly steps: readonly {
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
  }[];
  readonly notes?: string;
}

type Content =
  | string
  | readonly {
      readonly type: string;
      readonly text?: string;
      readonly source?: { readonly path: string };
    }[];

/** A transcript as plain text; everything in it comes from a model or a tool and is escaped. */
export function printTranscript(transcript: Transcript): string {
  const blocks = transcript.steps.map((step) => {
    const lines = [
      `--- ${step.step_id} ${escapeText(step.source)} ${step.timestamp ?? ''}`.trimEnd(),
    ];
    if (step.reasoning_content !== undefined)
      lines.push(prefixed(step.reasoning_content, '(thinks) '));
    const message = contentText(step.message);
    if (message !== '') lines.push(escapeBlock(message));
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
  });
  if (transcript.notes !== undefined) blocks.push(escapeBlock(transcript.notes));
  return `${blocks.join('\n')}\n`;
}

function contentText(content: Content | undefined): string {
  if (content === undefined) return '';
  if (typeof content === 'string') return content;
  return content.map((part) => part.text ?? `[${part.type} ${part.source?.path ?? ''}]`).join('\n');
}

function prefixed(text: string, before: string): string {
  const pad = ' '.repeat(before.length);
  return escapeBlock(text)
    .split('\n')
    .map((line, index) => `${index === 0 ? before : pad}${line}`)
    .join('\n');
}
