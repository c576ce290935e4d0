import type ts from 'typescript';
import { type Json } from './samples';
import { type VendorTypes } from './vendor-types';

/** Which fields of a vendor's request type are in requests that we send, and what is in them that the type lacks. */
export class SentFields {
  /** `Type.field`. */
  readonly known = new Set<string>();
  readonly unknown = new Set<string>();

  constructor(private readonly types: VendorTypes) {}

  add(type: ts.Type, value: unknown): void {
    if (typeof value !== 'object' || value === null) return;
    const members = this.types.members(type);
    if (Array.isArray(value)) {
      const elements = members.flatMap((member) => this.types.element(member) ?? []);
      for (const each of value as unknown[]) this.addObject(elements, each);
    } else this.addObject(members, value);
  }

  /** Takes the object for the one of the types that it fits best. */
  private addObject(types: readonly ts.Type[], value: unknown): void {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
    const keys = Object.keys(value);
    const candidates = types
      .flatMap((type) => this.types.members(type))
      .filter((type) => this.types.element(type) === undefined)
      .map((type) => ({ type, fields: this.types.fields(type) }))
      // A type without fields of its own holds what the caller likes, e.g. a schema.
      .filter(({ fields }) => fields.length > 0)
      .filter(({ fields }) => fields.every(({ name, type }) => this.allows(type, value, name)))
      .map((candidate) => {
        const names = candidate.fields.map(({ name }) => name);
        return { ...candidate, strange: keys.filter((key) => !names.includes(key)).length };
      })
      .sort((left, right) => left.strange - right.strange);
    const [best] = candidates;
    if (best === undefined) return;
    const name = this.types.nameOf(best.type);
    const isOpen = this.types.checker.getIndexInfosOfType(best.type).length > 0;
    for (const key of keys) {
      const field = best.fields.find((each) => each.name === key);
      if (field === undefined) {
        if (!isOpen) this.unknown.add(`${name}.${key}`);
        continue;
      }
      this.known.add(`${name}.${key}`);
      this.add(field.type, (value as Json)[key]);
    }
  }

  /** Whether a field that only takes certain texts has one of them. */
  private allows(type: ts.Type, value: object, name: string): boolean {
    const members = this.types.members(type);
    const texts = members.flatMap((member) => (member.isStringLiteral() ? [member.value] : []));
    if (texts.length === 0 || texts.length < members.length || !(name in value)) return true;
    return texts.includes(String((value as Json)[name]));
  }
}
