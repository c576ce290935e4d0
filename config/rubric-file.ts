import { z } from 'zod';
import {
  DIMENSIONS,
  IMPORTANCE_LEVELS,
  LEVEL_WEIGHTS,
  type Rubric,
  type RubricItem,
} from '../core/rubric';
import { ID_PART } from '../core/ids';
import { plural } from '../core/plural';
import { checkSchema, EXISTENCE_CHECKS, filesOfCheck } from './check-schema';
import { type ConfigurationFault, parseLocatedYaml } from './located-yaml';

/** Share of the weight that may rest on mere existence or format before `task lint` warns. */
export const MAX_EXISTENCE_SHARE = 0.15;

/** Items below which `task lint` warns: so few say little about a deliverable. */
export const MIN_ITEMS = 15;

const MIN_WEIGHT = 0.000_001;
const MAX_WEIGHT = 1_000_000;
const WEIGHT_RULE = 'must be core, important, auxiliary or a number above 0 (0.000001 to 1000000)';
/** Each is a session of the judge. */
export const MAX_ITEMS = 500;
/** An item is one sentence or a few. */
const MAX_ITEM_CHARACTERS = 10_000;
const itemSchema = z.strictObject({
  id: z.string().regex(ID_PART, 'must be 1 to 60 of a-z, 0-9, dot, dash and underscore'),
  text: z.string().trim().min(1, 'must not be empty').max(MAX_ITEM_CHARACTERS),
  weight: z.union(
    [
      z.enum(IMPORTANCE_LEVELS),
      z.number().min(MIN_WEIGHT, WEIGHT_RULE).max(MAX_WEIGHT, WEIGHT_RULE),
    ],
    {
      error: WEIGHT_RULE,
    },
  ),
  dimension: z.enum(DIMENSIONS),
  check: checkSchema.optional(),
});
const rubricSchema = z.array(itemSchema).min(1, 'a rubric needs at least one item').max(MAX_ITEMS);

export interface ReadRubric {
  readonly rubric: Rubric | undefined;
  readonly faults: readonly ConfigurationFault[];
  /** Shown by `task lint`; they stop nothing. */
  readonly warnings: readonly ConfigurationFault[];
}

/** Reads `rubric.yaml`. `outputs` are the required outputs, relative to `results/`. */
export function parseRubric(file: string, text: string, outputs: readonly string[]): ReadRubric {
  const parsed = parseLocatedYaml(file, text, rubricSchema);
  if ('faults' in parsed) return { rubric: undefined, faults: parsed.faults, warnings: [] };
  const items = parsed.value.map(toItem);
  const at = (index: number, field: string, message: string): ConfigurationFault => ({
    file,
    line: parsed.lineOf([index, field]),
    message,
  });
  const faults = items.flatMap((item, index) => faultsOfItem(items, item, index, at));
  const warnings = items.flatMap((item, index) =>
    item.check === undefined
      ? []
      : filesOfCheck(item.check)
          .filter((path) => !outputs.includes(path))
          .map((path) =>
            at(index, 'check', `${item.id} checks ${path}, which task.yaml does not require`),
          ),
  );
  return {
    rubric: faults.length === 0 ? { items } : undefined,
    faults,
    warnings: [...warnings, ...existenceWarning(file, items)],
  };
}

function toItem(given: z.infer<typeof itemSchema>): RubricItem {
  const { id, text, weight, dimension, check } = given;
  return {
    id,
    text,
    ...(typeof weight === 'number' ? { weight } : { weight: LEVEL_WEIGHTS[weight], level: weight }),
    dimension,
    ...(check === undefined ? {} : { check }),
  };
}

function faultsOfItem(
  items: readonly RubricItem[],
  item: RubricItem,
  index: number,
  at: (index: number, field: string, message: string) => ConfigurationFault,
): ConfigurationFault[] {
  const faults: ConfigurationFault[] = [];
  if (items.findIndex((other) => other.id === item.id) < index)
    faults.push(at(index, 'id', `${item.id} is used twice: give every item an id of its own`));
  const twin = items.find((other, before) => before < index && other.text === item.text);
  if (twin !== undefined)
    faults.push(at(index, 'text', `${item.id} says the same as ${twin.id}: leave one of them out`));
  if (/\{\{.*?\}\}|\$\{.*?\}|\[object Object\]|^file:\/\//u.test(item.text))
    faults.push(
      at(
        index,
        'text',
        `${item.id} holds a placeholder that nothing fills: write the words themselves`,
      ),
    );
  return faults;
}

/** What `task lint` says of a rubric that can be used: with few items each one is a large part of the score. */
export function adviceOnRubric(file: string, { items }: Rubric): ConfigurationFault[] {
  if (items.length >= MIN_ITEMS) return [];
  const message =
    `${plural(items.length, 'item')}, fewer than ${MIN_ITEMS}: add items, one for each defect ` +
    'that a deliverable may have (docs/guides/add-a-task.md)';
  return [{ file, line: undefined, message }];
}

function existenceWarning(file: string, items: readonly RubricItem[]): ConfigurationFault[] {
  const total = items.reduce((sum, item) => sum + item.weight, 0);
  const resting = items
    .filter((item) => item.check !== undefined && EXISTENCE_CHECKS.includes(item.check.kind))
    .reduce((sum, item) => sum + item.weight, 0);
  if (resting <= MAX_EXISTENCE_SHARE * total) return [];
  const share = ((100 * resting) / total).toFixed(1);
  return [
    {
      file,
      line: undefined,
      message:
        `${share} % of the weight rests on mere existence or format, more than ` +
        `${MAX_EXISTENCE_SHARE * 100} %: lower those weights or add items about the content`,
    },
  ];
}
