import ts from 'typescript';
import { type Field, type ObjectType, type VendorTypes } from './vendor-types';

export type Json = Record<string, unknown>;

/** The text that stands for a field, wherever it comes out again. */
export function markOf(type: string, field = ''): string {
  return `mark_${type}_${field}`.replace(/[^A-Za-z0-9_]/gu, '_');
}

/** A field whose value is asked about. */
export interface Wanted {
  readonly field: Field;
  /** Chooses among literals, and true or false. */
  readonly variant: number;
  /** Makes a value of its own that differs from the usual one. */
  readonly other?: boolean;
}

/** Makes values of a vendor's types. A field's texts and numbers are always the same, and no other field's. */
export class Samples {
  constructor(
    private readonly types: VendorTypes,
    /** What fields must hold to be more than a text, by `Type.field`. */
    private readonly values: Readonly<Record<string, (mark: string) => unknown>> = {},
    /** Types that belong to other messages than the first kind that may hold them, with those messages' role. */
    private readonly roles: Readonly<Record<string, string>> = {},
    /** What stands for a field's mark where any text may stand. */
    private readonly text: (mark: string) => string = (mark) => mark,
  ) {}

  /** A value of the root type that holds an object of `object`; of its optional fields only the wanted one. */
  holding(object: ObjectType, wanted?: Wanted): Json {
    let value = this.object(object, wanted);
    for (const { owner, property, lists } of [...object.path].reverse()) {
      let inner: unknown = value;
      for (let depth = 0; depth < lists; depth++) inner = [inner];
      value = { ...this.object(owner), [property]: inner };
    }
    const role = [object.name, ...object.path.map(({ owner }) => owner.name)]
      .map((name) => this.roles[name])
      .find((each) => each !== undefined);
    const [message] = Array.isArray(value['messages']) ? (value['messages'] as [Json]) : [];
    return role === undefined ? value : { ...value, messages: [{ ...message, role }] };
  }

  /** How many variants of a field's value there are. */
  variantsOf({ type }: Field): number {
    const members = this.types.members(type);
    return Math.max(1, members.flatMap(literalOf).length);
  }

  private object({ name, fields }: ObjectType, wanted?: Wanted): Json {
    const value: Json = {};
    for (const field of fields) {
      const isWanted = field === wanted?.field;
      if (!isWanted && field.optional) continue;
      const mark = markOf(name, field.name) + (isWanted && wanted.other === true ? '_other' : '');
      const given = this.values[`${name}.${field.name}`]?.(mark);
      // Null keeps a field out of the way of others; what becomes of the field itself is asked with a value.
      value[field.name] =
        given === undefined || (given === null && isWanted)
          ? this.value(field.type, mark, isWanted ? wanted.variant : 0)
          : given;
    }
    return value;
  }

  private value(type: ts.Type, mark: string, variant: number): unknown {
    const members = this.types.members(type);
    const literals = members.flatMap(literalOf);
    const free = members.filter((member) => literalOf(member).length === 0);
    const [first] = free;
    if (literals.length > 0 && (first === undefined || free.every(isText)))
      return literals[(variant + (mark.endsWith('_other') ? 1 : 0)) % literals.length];
    if (first === undefined) return null;
    if (free.some(isText)) return this.text(mark);
    if ((first.flags & ts.TypeFlags.NumberLike) !== 0) return numberOf(mark);
    if ((first.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0) return this.text(mark);
    const element = this.types.element(first);
    if (element !== undefined) return [this.value(element, mark, variant)];
    const fields = this.types.fields(first).filter(({ optional }) => !optional);
    const entries = fields.map(({ name, type: inner }) => [name, this.value(inner, mark, 0)]);
    const [index] = this.types.checker.getIndexInfosOfType(first);
    if (index !== undefined) entries.push([mark, this.value(index.type, mark, 0)]);
    return Object.fromEntries(entries) as Json;
  }
}

/** Between 1,000 and 1,000,000, always the same for a mark. */
function numberOf(mark: string): number {
  let sum = 7;
  for (const character of mark) sum = (sum * 31 + character.charCodeAt(0)) % 999_000;
  return 1_000 + sum;
}

function literalOf(type: ts.Type): unknown[] {
  if (type.isStringLiteral() || type.isNumberLiteral()) return [type.value];
  if ((type.flags & ts.TypeFlags.BooleanLiteral) !== 0)
    return [(type as unknown as { intrinsicName: string }).intrinsicName === 'true'];
  return [];
}

/** `string`, and `string & {}` with which SDKs leave a list of literals open. */
function isText(type: ts.Type): boolean {
  return (
    (type.flags & ts.TypeFlags.StringLike) !== 0 ||
    (type.isIntersection() && type.types.some((each) => (each.flags & ts.TypeFlags.String) !== 0))
  );
}

/** Whether a field only tells which type it is. */
export function isTag(types: VendorTypes, { type, optional }: Field): boolean {
  const members = types.members(type);
  return !optional && members.length === 1 && members.every((each) => literalOf(each).length === 1);
}
