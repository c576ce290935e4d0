import { dirname, join } from 'node:path';
import ts from 'typescript';

/** Where the types of the vendors' SDKs are, by the file that declares them. */
const OPENAI = require.resolve('openai');
const ANTHROPIC = require.resolve('@anthropic-ai/sdk');
const DECLARATIONS = {
  chat: [OPENAI, 'resources/chat/completions/completions.d.ts'],
  responses: [OPENAI, 'resources/responses/responses.d.ts'],
  messages: [ANTHROPIC, 'resources/messages/messages.d.ts'],
  betaMessages: [ANTHROPIC, 'resources/beta/messages/messages.d.ts'],
} as const;
export type Declarations = keyof typeof DECLARATIONS;

/** One way from an object of some type to another object: over a property, maybe through lists. */
interface Step {
  readonly owner: ObjectType;
  readonly property: string;
  readonly lists: number;
}

export interface Field {
  readonly name: string;
  readonly optional: boolean;
  readonly type: ts.Type;
}

/** An object type of a vendor's protocol, reached from a root type. */
export interface ObjectType {
  /** Name in the SDK, `Outer.Inner` for nested ones; a type without a name is called after its first place. */
  readonly name: string;
  readonly fields: readonly Field[];
  /** The first way to it, from the root on. */
  readonly path: readonly Step[];
}

export class VendorTypes {
  private readonly program: ts.Program;
  readonly checker: ts.TypeChecker;

  constructor(private readonly declarations: readonly Declarations[]) {
    this.program = ts.createProgram(declarations.map(fileOf), {
      strict: true,
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.Node16,
      moduleResolution: ts.ModuleResolutionKind.Node16,
      skipLibCheck: true,
      types: [],
    });
    this.checker = this.program.getTypeChecker();
  }

  type(declarations: Declarations, name: string): ts.Type {
    const file = this.program.getSourceFile(fileOf(declarations));
    const module = file === undefined ? undefined : this.checker.getSymbolAtLocation(file);
    const symbols = module === undefined ? [] : this.checker.getExportsOfModule(module);
    const symbol = symbols.find((each) => each.name === name);
    if (symbol === undefined || !this.declarations.includes(declarations))
      throw new Error(`the SDK exports no type ${name}`);
    return this.checker.getDeclaredTypeOfSymbol(symbol);
  }

  /**
   * Every object type that a value of `root` may hold, the nearest first. What fields of `closed` (`Type.field`, or the
   * name of a field alone) hold is not looked into.
   */
  objects(root: ts.Type, closed: readonly string[] = []): ObjectType[] {
    const found = new Map<ts.Type, ObjectType>();
    const queue: { type: ts.Type; path: readonly Step[] }[] = [{ type: root, path: [] }];
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const { type, path } = next;
      for (const [object, lists] of this.objectsWithin(type, 0)) {
        if (found.has(object)) continue;
        const last = path.at(-1);
        const way = last === undefined ? path : [...path.slice(0, -1), { ...last, lists }];
        const made = { name: this.nameOf(object, way), fields: this.fields(object), path: way };
        found.set(object, made);
        const open = made.fields.filter(
          ({ name }) => !closed.includes(name) && !closed.includes(`${made.name}.${name}`),
        );
        for (const field of open)
          queue.push({
            type: field.type,
            path: [...way, { owner: made, property: field.name, lists: 0 }],
          });
      }
    }
    return [...found.values()];
  }

  fields(type: ts.Type): Field[] {
    return this.checker.getPropertiesOfType(type).map((property) => ({
      name: property.name,
      optional: (property.flags & ts.SymbolFlags.Optional) !== 0,
      type: this.checker.getTypeOfSymbol(property),
    }));
  }

  /** The members of a union; a type that is none alone. `null` and `undefined` are left out. */
  members(type: ts.Type): ts.Type[] {
    const all = type.isUnion() ? type.types : [type];
    return all.filter((each) => (each.flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)) === 0);
  }

  /** The type of a list's elements; undefined for what is no list. */
  element(type: ts.Type): ts.Type | undefined {
    if (!this.checker.isArrayType(type) && !this.checker.isTupleType(type)) return undefined;
    return this.checker.getTypeArguments(type as ts.TypeReference)[0];
  }

  private objectsWithin(type: ts.Type, lists: number): (readonly [ts.Type, number])[] {
    return this.members(type).flatMap((member) => {
      const element = this.element(member);
      if (element !== undefined) return this.objectsWithin(element, lists + 1);
      const isObject = (member.flags & ts.TypeFlags.Object) !== 0;
      return isObject && this.checker.getPropertiesOfType(member).length > 0
        ? [[member, lists] as const]
        : [];
    });
  }

  nameOf(type: ts.Type, path: readonly Step[] = []): string {
    const symbol = type.aliasSymbol ?? type.symbol;
    const names: string[] = [];
    for (let at: ts.Symbol | undefined = symbol; at !== undefined; at = parentOf(at))
      if ((at.flags & ts.SymbolFlags.ValueModule) === 0) names.unshift(at.name);
    const named = names.filter((name) => !name.startsWith('__'));
    const last = path.at(-1);
    return named.length > 0 && !names.includes('__type')
      ? named.join('.')
      : `${last?.owner.name ?? ''}.${last?.property ?? ''}`;
  }
}

function parentOf(symbol: ts.Symbol): ts.Symbol | undefined {
  return (symbol as unknown as { readonly parent?: ts.Symbol }).parent;
}

function fileOf(declarations: Declarations): string {
  const [entry, file] = DECLARATIONS[declarations];
  return join(dirname(entry), file);
}
