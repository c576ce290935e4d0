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
  const parsed = schema.safeParse(document.toJS() ?? {});
  if (parsed.success) return { value: parsed.data, lineOf };
  return {
    faults: parsed.error.issues.map((issue) => ({
      file,
      line: lineOf(issue.path),
      message: `${issue.path.length === 0 ? '' : `${issue.path.join('.')}: `}${issue.message}`,
    })),
  };
}
