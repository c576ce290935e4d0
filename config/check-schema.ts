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
      z.strictObject({ file, sheet: text, cell }),
      z.strictObject({ file, sheet: text, sumColumn: text }),
      z.strictObject({ file, pattern }),
    ],
    { error: 'must be { file, sheet, cell }, { file, sheet, sumColumn } or { file, pattern }' },
  )
  .transform((source): ValueSource => source);

const kinds = {
  'file-exists': { file, format: z.enum(ARTIFACT_FORMATS).optional() },
  'sheet-exists': { file, sheet: text },
  'sheet-order': { file, sheets: texts },
  'cell-equals': { file, sheet: text, cell, value, tolerance },
  'row-value-equals': {
    file,
    sheet: text,
    keyColumn: text,
    key: z.union([z.string(), z.number()]),
    column: text,
    value,
    tolerance,
  },
  'column-matches': {
    file,
    sheet: text,
    column: text,
    values: z.array(value),
    ordered: z.boolean().optional(),
    tolerance,
  },
  'row-count': { file, sheet: text, column: text, count: z.int().nonnegative() },
  'formula-present': {
    file,
    sheet: text,
    range,
    share: z.number().gt(0).max(1).optional(),
  },
  'number-format': { file, sheet: text, range, pattern },
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

const knownKinds = Object.keys(kinds);
const variants = Object.entries(kinds).map(([kind, shape]) =>
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
  })
  .transform((check) => withoutUndefined(check) as unknown as Check);

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
