import { z } from 'zod';
import { type Check, type ValueSource } from '../core/rubric';
import { ARTIFACT_FORMATS } from '../core/evidence-view';

const text = z.string().min(1, 'must not be empty');
const texts = z.array(text).min(1, 'must not be empty');
const value = z.union([z.string(), z.number(), z.boolean()]);
const tolerance = z.number().nonnegative().optional();

/** A path below `results/`. */
const file = text.refine(
  (path) =>
    !path.startsWith('/') && !path.split('/').some((part) => ['', '.', '..'].includes(part)),
  { error: 'must be a path below results/, without results/ itself' },
);
/** Left out: the first sheet, or the whole of a CSV file. */
const sheet = text.default('*');
const cell = z.string().regex(/^[A-Z]{1,3}[1-9]\d*$/u, 'must be a cell like B7');
const range = z
  .string()
  .regex(/^[A-Z]{1,3}[1-9]\d*(?::[A-Z]{1,3}[1-9]\d*)?$/u, 'must be a range like B2:B9');
const pattern = text.refine(compiles, { error: 'is not a regular expression' });

function compiles(source: string): boolean {
  try {
    new RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}

/** With `exactOptionalPropertyTypes` an absent field must be absent, not undefined. */
function withoutUndefined<Value extends object>(given: Value): Value {
  return Object.fromEntries(
    Object.entries(given).filter(([, member]) => member !== undefined),
  ) as Value;
}

const valueSource = z
  .union(
    [
      z.strictObject({ file, sheet, cell }),
      z.strictObject({ file, sheet, sumColumn: text }),
      z.strictObject({ file, pattern }),
    ],
    { error: 'must be { file, sheet, cell }, { file, sheet, sumColumn } or { file, pattern }' },
  )
  .transform((source): ValueSource => source);

/** Fields of every kind of check. */
export const CHECK_FIELDS = {
  'file-exists': { file, format: z.enum(ARTIFACT_FORMATS).optional() },
  'sheet-exists': { file, sheet: text },
  'sheet-order': { file, sheets: texts },
  'cell-equals': { file, sheet, cell, value, tolerance },
  'row-value-equals': {
    file,
    sheet,
    keyColumn: text,
    key: z.union([z.string(), z.number()]),
    column: text,
    value,
    tolerance,
  },
  'column-matches': {
    file,
    sheet,
    column: text,
    values: z.array(value),
    ordered: z.boolean().optional(),
    tolerance,
  },
  'row-count': { file, sheet, column: text, count: z.int().nonnegative() },
  'formula-present': {
    file,
    sheet,
    range,
    share: z.number().gt(0).max(1).optional(),
  },
  'number-format': { file, sheet, range, pattern },
  'no-error-cells': { file },
  'values-agree': { left: valueSource, right: valueSource, tolerance },
  'text-contains': {
    file,
    all: texts.optional(),
    any: texts.optional(),
    ignoreCase: z.boolean().optional(),
  },
  'text-absent': { file, none: texts, ignoreCase: z.boolean().optional() },
  'page-count': { file, min: z.int().positive().optional(), max: z.int().positive().optional() },
  'table-exists': { file, headers: texts, minRows: z.int().nonnegative().optional() },
  'table-row-contains': {
    file,
    keyColumn: text,
    key: text,
    column: text,
    any: texts,
    ignoreCase: z.boolean().optional(),
  },
} as const satisfies Readonly<Record<Check['kind'], z.core.$ZodLooseShape>>;

const knownKinds = Object.keys(CHECK_FIELDS);
const variants = Object.entries(CHECK_FIELDS).map(([kind, shape]) =>
  z.strictObject({ kind: z.literal(kind), ...(shape as z.core.$ZodLooseShape) }),
);

/** A check of the closed set; unknown kinds and unknown fields are refused. */
export const checkSchema = z
  .discriminatedUnion('kind', variants as [(typeof variants)[number]], {
    error: `must be one of ${knownKinds.join(', ')}`,
  })
  .superRefine((check: Readonly<Record<string, unknown>>, context) => {
    const either = (first: string, second: string): void => {
      if (check[first] === undefined && check[second] === undefined)
        context.addIssue({ code: 'custom', message: `needs ${first} or ${second}` });
    };
    if (check['kind'] === 'text-contains') either('all', 'any');
    if (check['kind'] === 'page-count') either('min', 'max');
    for (const [place, message] of csvSheetFaults(check))
      context.addIssue({ code: 'custom', path: place, message });
  })
  .transform((check) => withoutUndefined(check) as unknown as Check);

/** A CSV file has no named sheets: a check that names one could never apply. */
function csvSheetFaults(
  check: Readonly<Record<string, unknown>>,
): (readonly [path: string[], message: string])[] {
  const sources = [[], ['left'], ['right']].map((path) => {
    const source = path[0] === undefined ? check : check[path[0]];
    return { path, source: (source ?? {}) as Readonly<Record<string, unknown>> };
  });
  return sources.flatMap(({ path, source }) => {
    const isCsv = typeof source['file'] === 'string' && /\.(?:csv|tsv)$/iu.test(source['file']);
    const named = source['sheet'] ?? source['sheets'] ?? '*';
    if (!isCsv || named === '*') return [];
    const field = source['sheet'] === undefined ? 'sheets' : 'sheet';
    const file = String(source['file']);
    if (check['kind'] === 'sheet-exists' || check['kind'] === 'sheet-order')
      return [[[...path, field], `${file} is CSV and has no sheets: use file-exists`]];
    return [[[...path, field], `${file} is CSV and has one sheet without a name: leave out sheet`]];
  });
}

/** Kinds that show mere existence or format. */
export const EXISTENCE_CHECKS: readonly Check['kind'][] = [
  'file-exists',
  'sheet-exists',
  'sheet-order',
  'number-format',
  'page-count',
];

/** Deliverables that a check reads. */
export function filesOfCheck(check: Check): string[] {
  return check.kind === 'values-agree' ? [check.left.file, check.right.file] : [check.file];
}
