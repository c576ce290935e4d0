import { LineCounter, parseDocument } from 'yaml';
import { type z } from 'zod';

/** A fault of a configuration file, with its place. */
export interface ConfigurationFault {
  readonly file: string;
  /** 1-based; undefined when the fault has no place of its own. */
  readonly line: number | undefined;
  readonly message: string;
}

export function printFault(fault: ConfigurationFault): string {
  return `${fault.file}${fault.line === undefined ? '' : `:${fault.line}`}: ${fault.message}`;
}

/** A YAML text checked against a schema: the value, or all faults at once with their lines. */
export function parseLocatedYaml<Schema extends z.ZodType>(
  file: string,
  text: string,
  schema: Schema,
):
  | {
      readonly value: z.infer<Schema>;
      readonly lineOf: (path: readonly PropertyKey[]) => number | undefined;
    }
  | { readonly faults: readonly ConfigurationFault[] } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0)
    return {
      faults: document.errors.map((error) => ({
        file,
        line: lines.linePos(error.pos[0]).line,
        message: error.message,
      })),
    };
  const lineOf = (path: readonly PropertyKey[]): number | undefined => {
    for (let length = path.length; length >= 0; length--) {
      const node: unknown = document.getIn(path.slice(0, length), true);
      const range = (node as { range?: [number, number, number] } | null | undefined)?.range;
      if (range) return lines.linePos(range[0]).line;
    }
    return undefined;
  };
  let content: unknown;
  try {
    content = document.toJS() ?? {};
  } catch (error) {
    // A text of aliases that would unfold without end.
    return { faults: [{ file, line: undefined, message: (error as Error).message }] };
  }
  const parsed = schema.safeParse(content);
  if (parsed.success) return { value: parsed.data, lineOf };
  return {
    faults: parsed.error.issues.flatMap(plainIssues).map(({ path, message }) => ({
      file,
      line: lineOf(path),
      message: `${path.length === 0 ? '' : `${path.join('.')}: `}${message}`,
    })),
  };
}

/** The package's issues in words that say what to do: one for each unknown or missing field. */
export function plainIssues(
  issue: z.core.$ZodIssue,
): { readonly path: readonly PropertyKey[]; readonly message: string }[] {
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: [...issue.path, key],
      message: 'unknown field: remove it or correct its spelling',
    }));
  const missing = issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
  return [{ path: issue.path, message: missing ? 'is missing' : issue.message }];
}
