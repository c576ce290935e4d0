import { LAST_COLUMN, LAST_ROW, cellName } from '../../../../core/cell-range';
import { type ControlFact } from '../../../../core/workbook-facts';
import { type OfficePackage } from '../package';
import { type Relationship } from '../relationships';
import { type Rendering } from '../rendering';
import { type XmlElement, child, descendants, elements, parseXmlText, textOf } from '../xml';
import { decodeXml } from '../xml-encoding';
import { MAX_LISTED, cutText } from './bounded-list';
import { orLeftOut, readTree } from './read-tree';

/** A control or an embedded object as the sheet part lists it. */
export interface SheetControl {
  readonly shapeId: string;
  readonly id: string;
  readonly name: string;
  /** Of an embedded object. */
  readonly program?: string;
  /** Attributes of the element within: linked cell, list, macro. */
  readonly properties: Readonly<Record<string, string>>[];
}

/** What the old drawing of a sheet says of a shape: it is the only one that every program writes. */
export interface VectorShape {
  readonly name: string;
  readonly kind: string;
  readonly text: string;
  readonly anchor: string | undefined;
  readonly data: ReadonlyMap<string, string>;
}

const MAX_TEXT = 1_000;
const MAX_PART_BYTES = 4 * 1024 * 1024;

/** Shapes by the number by which the sheet names them. Comments are left out. */
export async function readVectorShapes(
  parts: OfficePackage,
  relations: readonly Relationship[],
  rendering: Rendering,
): Promise<ReadonlyMap<string, VectorShape>> {
  const shapes = new Map<string, VectorShape>();
  const drawings = relations.filter(({ type }) => type === 'vmlDrawing');
  for (const { target } of drawings) {
    if (!parts.has(target)) continue;
    const root = await orLeftOut(rendering, async () => {
      const text = decodeXml(target, await parts.read(target, MAX_PART_BYTES));
      // Office programs write a line break as HTML has it.
      return parseXmlText(target, text.replaceAll(/<br\s*>/giu, '<br/>'));
    });
    for (const shape of root ? descendants(root, 'shape') : []) {
      const data = child(shape, 'ClientData');
      const kind = data?.attributes['ObjectType'] ?? 'Note';
      if (!data || kind === 'Note' || shapes.size >= MAX_LISTED) continue;
      const { id = '', spid = id } = shape.attributes;
      const box = child(shape, 'textbox');
      shapes.set(/_s(\d+)$/u.exec(spid)?.[1] ?? spid, {
        name: spid === id ? '' : unescapeName(id),
        kind,
        text: cutText(textOf(box).replaceAll(/\s+/gu, ' ').trim(), MAX_TEXT),
        anchor: anchorOf(textOf(child(data, 'Anchor'))),
        data: new Map(elements(data).map((each) => [each.name, textOf(each).trim()])),
      });
    }
  }
  return shapes;
}

/** Left column, offset, top row, offset, right column, offset, bottom row, offset. */
function anchorOf(text: string): string | undefined {
  const numbers = text.split(',').map(Number);
  const [left = NaN, , top = NaN, , right = NaN, , bottom = NaN] = numbers;
  const isPlace = (row: number, column: number): boolean =>
    row >= 0 && column >= 0 && row < LAST_ROW && column < LAST_COLUMN;
  if (!isPlace(top, left) || !isPlace(bottom, right)) return undefined;
  return `${cellName(top + 1, left + 1)}:${cellName(bottom + 1, right + 1)}`;
}

/** `Check_x0020_Box`. */
function unescapeName(name: string): string {
  return name.replace(/_x([0-9A-Fa-f]{4})_/gu, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ['button', 'button'],
  ['checkbox', 'check box'],
  ['drop', 'drop-down list'],
  ['edit', 'edit box'],
  ['editbox', 'edit box'],
  ['gbox', 'group box'],
  ['label', 'label'],
  ['list', 'list box'],
  ['radio', 'option button'],
  ['scroll', 'scroll bar'],
  ['spin', 'spin button'],
]);

/**
 * Form controls of a sheet, each once: those that the sheet lists, with what their own part and the old drawing say,
 * then those that only the drawing has. ActiveX controls have the properties that their part states as text.
 */
export async function readControls(
  parts: OfficePackage,
  listed: readonly SheetControl[],
  targets: ReadonlyMap<string, Relationship>,
  shapes: ReadonlyMap<string, VectorShape>,
  rendering: Rendering,
): Promise<ControlFact[]> {
  const controls: ControlFact[] = [];
  const met = new Set<string>();
  for (const control of listed.slice(0, MAX_LISTED)) {
    if (met.has(control.shapeId)) continue;
    met.add(control.shapeId);
    const relation = targets.get(control.id);
    const part = relation && parts.has(relation.target) ? relation.target : undefined;
    const root = part === undefined ? undefined : await readTree(parts, part, rendering);
    const shape = shapes.get(control.shapeId);
    controls.push(
      relation?.type === 'control'
        ? activeControl(control, root, shape)
        : formControl(control, root, shape),
    );
  }
  for (const [shapeId, shape] of shapes)
    if (!met.has(shapeId) && TYPES.has(shape.kind.toLowerCase()))
      controls.push(formControl(undefined, undefined, shape));
  return controls;
}

function formControl(
  control: SheetControl | undefined,
  root: XmlElement | undefined,
  shape: VectorShape | undefined,
): ControlFact {
  const own = root?.attributes ?? {};
  const kind = (own['objectType'] ?? shape?.kind ?? '').toLowerCase();
  const stated = (attribute: string, element: string): string | undefined =>
    own[attribute] ?? shape?.data.get(element);
  return controlFact(TYPES.get(kind) ?? `control of type ${kind || 'unknown'}`, control, shape, [
    ...worded('linked cell', stated('fmlaLink', 'FmlaLink')),
    ...worded('list', stated('fmlaRange', 'FmlaRange')),
    ...stateOf(kind, stated),
    ...worded('macro', control?.properties[0]?.['macro'] ?? shape?.data.get('FmlaMacro')),
  ]);
}

function stateOf(
  kind: string,
  stated: (attribute: string, element: string) => string | undefined,
): string[] {
  if (kind === 'checkbox' || kind === 'radio') return [checkedState(stated('checked', 'Checked'))];
  if (kind === 'drop' || kind === 'list') return worded('selected entry', stated('sel', 'Sel'));
  return kind === 'spin' || kind === 'scroll' ? worded('value', stated('val', 'Val')) : [];
}

function checkedState(value: string | undefined): string {
  if (value === '1' || value === 'Checked') return 'checked';
  return value === '2' || value === 'Mixed' ? 'mixed' : 'not checked';
}

function activeControl(
  control: SheetControl,
  root: XmlElement | undefined,
  shape: VectorShape | undefined,
): ControlFact {
  const stated = (root ? descendants(root, 'ocxPr') : []).flatMap(({ attributes }) => {
    const { name = '', value = '' } = attributes;
    return /^(?:Caption|Value|Text|GroupName)$/u.test(name) ? [`${name} ${value}`] : [];
  });
  return controlFact('ActiveX control', control, shape, [
    ...stated,
    ...worded('linked cell', control.properties[0]?.['linkedCell']),
    ...worded('list', control.properties[0]?.['listFillRange']),
    ...worded('class', root?.attributes['classid']),
  ]);
}

const worded = (words: string, value: string | undefined): string[] =>
  value === undefined || value === '' ? [] : [`${words} ${cutText(value, MAX_TEXT)}`];

function controlFact(
  type: string,
  control: SheetControl | undefined,
  shape: VectorShape | undefined,
  details: readonly string[],
): ControlFact {
  const text = shape?.text ?? '';
  return {
    type,
    name: control?.name ?? shape?.name ?? '',
    ...(shape?.anchor === undefined ? {} : { anchor: shape.anchor }),
    ...(text === '' ? {} : { text }),
    details,
  };
}
