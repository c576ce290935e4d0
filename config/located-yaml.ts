import { type Document, isMap, isScalar, LineCounter, parseDocument, visit } from 'yaml';
import { type z } from 'zod';
import { escapeText } from '../core/escape-text';

/** A fault of a configuration file, with its place. */
export interface ConfigurationFault {
  readonly file: string;
  /** 1-based; undefined when the fault has no place of its own. */
  readonly line: number | undefined;
  readonly message: string;
}

/** On one line, whatever the file's name or its content holds. */
export function printFault(fault: ConfigurationFault): string {
  const line = fault.line === undefined ? '' : `:${fault.line}`;
  return escapeText(`${fault.file}${line}: ${fault.message}`);
}

/**
 * A YAML text checked against a schema: the value, or all faults at once with their lines.
 *
 * @param schemaFor the schema, or what picks one by the content
 * @param instead fields of the outermost mapping to take instead of the text's
 */
export function parseLocatedYaml<Schema extends z.ZodType>(
  file: string,
  text: string,
  schemaFor: Schema | ((content: unknown) => Schema),
  instead: Readonly<Record<string, unknown>> = {},
):
  | {
      readonly value: z.infer<Schema>;
      readonly lineOf: (path: readonly PropertyKey[]) => number | undefined;
    }
  | {
      readonly faults: readonly ConfigurationFault[];
      /** What the text says, where it is YAML. */
      readonly content?: unknown;
      readonly lineOf?: (path: readonly PropertyKey[]) => number | undefined;
    } {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = yamlFaults(document, text).map(({ at, message }) => ({
    file,
    line: at === undefined ? undefined : lines.linePos(at).line,
    message,
  }));
  if (broken.length > 0) return { faults: broken };
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
    if (isMap(document.contents)) content = { ...(content as object), ...instead };
  } catch {
    const message =
      'its aliases (*name) unfold to too many values or to one that holds itself: write the values themselves';
    return { faults: [{ file, line: undefined, message }] };
  }
  const schema = typeof schemaFor === 'function' ? schemaFor(content) : schemaFor;
  const parsed = schema.safeParse(content);
  if (parsed.success) return { value: parsed.data, lineOf };
  return {
    content,
    lineOf,
    faults: parsed.error.issues.flatMap(plainIssues).map(({ path, message }) => ({
      file,
      line: lineOf(path),
      message: `${path.length === 0 ? '' : `${pathByName(path, content)}: `}${message}`,
    })),
  };
}

/** What an entry of a list is known by, to whoever wrote it. */
const NAMES = ['id', 'path', 'name', 'model', 'title'];
/** A name that is longer, or on several lines, is no help to find the entry. */
const NAME_LENGTH = 80;

/** `models[sim-b].seed`: entries of lists by their names, those without one by their number, from 1. */
function pathByName(path: readonly PropertyKey[], content: unknown): string {
  let printed = '';
  let at = content;
  for (const key of path) {
    const inner = (at as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key];
    if (typeof key === 'number') {
      const entry = nameOf(inner) ?? `entry ${key + 1}`;
      printed += printed === '' ? entry : `[${entry}]`;
    } else printed += printed === '' ? String(key) : `.${String(key)}`;
    at = inner;
  }
  return printed;
}

function nameOf(entry: unknown): string | undefined {
  const fields = typeof entry === 'object' && entry !== null ? { ...entry } : { id: entry };
  const names = NAMES.map((field) => (fields as Readonly<Record<string, unknown>>)[field]);
  return names.find(
    (name): name is string =>
      typeof name === 'string' && name.length <= NAME_LENGTH && /^\S+(?: \S+)*$/u.test(name),
  );
}

/** More are of no help to whoever corrects the first ones. */
const MAX_YAML_FAULTS = 20;
/** Deeper than any file has reason to be, and far from where readers run out of stack. */
const MAX_DEPTH = 64;

interface YamlFault {
  /** Position in the text. */
  readonly at: number | undefined;
  readonly message: string;
}

/** What is wrong with a text as YAML, in words for whoever wrote it. */
function yamlFaults(document: Document.Parsed, text: string): YamlFault[] {
  const found = [...document.errors, ...document.warnings];
  const tooDeep = found.find(({ message }) => message.includes('call stack'));
  if (tooDeep !== undefined) return [{ at: tooDeep.pos[0], message: TOO_DEEP }];
  const faults = found.map(({ code, message, pos }): YamlFault => ({
    at: pos[0],
    message: YAML_WORDS[code]?.(text.slice(pos[0], pos[0] + 80)) ?? message,
  }));
  if (faults.length > MAX_YAML_FAULTS)
    return [
      ...faults.slice(0, MAX_YAML_FAULTS),
      { at: undefined, message: `and ${faults.length - MAX_YAML_FAULTS} more faults like these` },
    ];
  return faults.length > 0 ? faults : faultsOfNodes(document);
}

const TOO_DEEP = `is nested more than ${MAX_DEPTH} levels deep: write it flatter`;

const YAML_WORDS: Readonly<Record<string, ((source: string) => string) | undefined>> = {
  MULTIPLE_DOCS: () => 'a second document (---) begins here: keep one document in a file',
  DUPLICATE_KEY: (source) => {
    const key = /^\s*([^\s:,}\]][^\n:]{0,60})/u.exec(source)?.[1];
    return `${key === undefined ? 'a field' : key.trim()} is given twice: keep one of them`;
  },
  TAB_AS_INDENT: () => 'tabs cannot indent: use blanks',
};

function faultsOfNodes(document: Document.Parsed): YamlFault[] {
  const faults: YamlFault[] = [];
  visit(document, {
    Node: (_key, node, path) => {
      if (path.length <= 2 * MAX_DEPTH) return undefined;
      faults.push({ at: node.range?.[0], message: TOO_DEEP });
      return visit.BREAK;
    },
    Pair: (_key, { key }) => {
      // A mapping of any names would drop this one without a word.
      if (isScalar(key) && key.value === '__proto__')
        faults.push({ at: key.range?.[0], message: '__proto__ cannot be the name of a field' });
    },
  });
  return faults;
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
  // Messages of our own schemas are for people already.
  if (!isPackageMessage(issue)) return [{ path: issue.path, message: issue.message }];
  return [{ path: issue.path, message: plainMessage(issue) }];
}

const PACKAGE_MESSAGE = /^(?:Invalid |Too small|Too big|Unrecognized )/u;

function isPackageMessage(issue: z.core.$ZodIssue): boolean {
  return PACKAGE_MESSAGE.test(issue.message);
}

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a mapping',
  record: 'a mapping',
  date: 'a date',
};

function plainMessage(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.endsWith('received undefined')) return 'is missing';
      return `must be ${TYPE_WORDS[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return sizeMessage(issue.origin, issue.minimum, issue.inclusive === false, 'least');
    case 'too_big':
      return sizeMessage(issue.origin, issue.maximum, issue.inclusive === false, 'most');
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${String(issue.values[0])}`
        : `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_key':
      return issue.issues.map((inner) => plainIssues(inner)[0]?.message ?? '').join('; ');
    case 'invalid_union':
      return unionMessage(issue);
    default:
      return issue.message;
  }
}

function sizeMessage(
  origin: string,
  limit: number | bigint,
  isExclusive: boolean,
  side: 'least' | 'most',
): string {
  if (origin === 'string') {
    if (side === 'least' && limit === 1) return 'must not be empty';
    return `must have at ${side} ${limit} characters`;
  }
  if (origin === 'array' || origin === 'set' || origin === 'object' || origin === 'record')
    return `must have at ${side} ${limit} ${limit === 1 ? 'entry' : 'entries'}`;
  if (isExclusive) return `must be ${side === 'least' ? 'above' : 'below'} ${limit}`;
  return `must be at ${side} ${limit}`;
}

function unionMessage(issue: z.core.$ZodIssueInvalidUnion): string {
  const messages = issue.errors.map((inner) =>
    inner.flatMap((each) => plainIssues(each).map(({ message }) => message)).join(' and '),
  );
  return [...new Set(messages.filter((message) => message !== ''))].join(', or ');
}
