import { isDeepStrictEqual } from 'node:util';
import { type Json, markOf, type Samples } from './samples';
import { type Field, type ObjectType } from './vendor-types';

/**
 * What becomes of a field. `passed`: it comes out under its own name. `translated`: it comes out otherwise.
 * `refused`: the whole object it is part of stays out, and is named. `reported`: it alone stays out, and is named.
 * `ignored`: it stays out and nobody is told.
 */
export type Fate = 'passed' | 'translated' | 'refused' | 'reported' | 'ignored';

export interface Outcome {
  readonly body: unknown;
  readonly dropped: readonly string[];
}

/** Sends a value through a translation. Throws for what is refused out loud. */
export type Run = (value: Json) => Outcome;

/** What becomes of one field of `object` when values of its root type go through `run`. */
export function fateOf(samples: Samples, object: ObjectType, field: Field, run: Run): Fate {
  const rank: readonly Fate[] = ['passed', 'translated', 'reported', 'refused', 'ignored'];
  const fates = Array.from({ length: samples.variantsOf(field) }, (_, variant) =>
    fateOfVariant(samples, object, field, variant, run),
  );
  return rank.find((fate) => fates.includes(fate)) ?? 'ignored';
}

function fateOfVariant(
  samples: Samples,
  object: ObjectType,
  field: Field,
  variant: number,
  run: Run,
): Fate {
  const given = samples.holding(object, { field, variant });
  const rest = field.optional
    ? samples.holding(object)
    : samples.holding(object, { field, variant, other: true });
  const [out, outRest] = [tried(run, given), tried(run, rest)];
  if (out === undefined) return 'refused';
  if (outRest !== undefined && isDeepStrictEqual(out.body, outRest.body))
    return fateOfUnsaid(out, outRest, run({}), object, field);
  const value = valueOf(given, object, field);
  return holds(out.body, field.name, value) ? 'passed' : 'translated';
}

function fateOfUnsaid(
  out: Outcome,
  outRest: Outcome,
  bare: Outcome,
  object: ObjectType,
  field: Field,
): Fate {
  if (out.dropped.some((name) => !outRest.dropped.includes(name))) return 'reported';
  const named = out.dropped.filter((name) => !bare.dropped.includes(name));
  if (named.some((name) => name.split(/[. ]/u).at(-1) === field.name)) return 'reported';
  const gone = !JSON.stringify(out.body).includes(markOf(object.name));
  return gone && named.length > 0 ? 'refused' : 'ignored';
}

function tried(run: Run, value: Json): Outcome | undefined {
  try {
    return run(value);
  } catch {
    return undefined;
  }
}

function valueOf(given: Json, object: ObjectType, field: Field): unknown {
  let at: unknown = given;
  for (const { property, lists } of object.path) {
    at = (at as Json)[property];
    for (let depth = 0; depth < lists; depth++) at = (at as unknown[])[0];
  }
  return (at as Json)[field.name];
}

/** Whether `value` stands somewhere in `tree` under the name `name`. */
function holds(tree: unknown, name: string, value: unknown): boolean {
  if (Array.isArray(tree)) return tree.some((each) => holds(each, name, value));
  if (typeof tree !== 'object' || tree === null) return false;
  return Object.entries(tree).some(
    ([key, each]) => (key === name && isDeepStrictEqual(each, value)) || holds(each, name, value),
  );
}
