import {
  type ControlFact,
  type EmbeddedFact,
  type SlicerFact,
} from '../../../../core/workbook-facts';
import { addEmbeddedPart } from '../embedded-files';
import { type OfficePackage } from '../package';
import { type Relationship } from '../relationships';
import { type Rendering } from '../rendering';
import { MAX_LISTED } from './bounded-list';
import { type SheetControl, readControls, readVectorShapes } from './form-controls';
import { readTree } from './read-tree';
import { type SlicerCache, slicersOf } from './slicers';

/** What lies over a sheet beside charts, pictures and shapes. */
export interface SheetObjects {
  readonly slicers: readonly SlicerFact[];
  readonly controls: readonly ControlFact[];
  readonly embedded: readonly EmbeddedFact[];
}

export interface ObjectContext {
  readonly parts: OfficePackage;
  /** The sheet's own. */
  readonly relations: readonly Relationship[];
  readonly listed: readonly SheetControl[];
  readonly caches: ReadonlyMap<string, SlicerCache>;
  /** Of slicers, by their name. */
  readonly anchors: ReadonlyMap<string, string>;
  readonly rendering: Rendering;
}

export async function readSheetObjects(context: ObjectContext): Promise<SheetObjects> {
  const { parts, relations, listed, rendering } = context;
  const shapes = await readVectorShapes(parts, relations, rendering);
  const targets = new Map(relations.map((relation) => [relation.id, relation]));
  const controls = listed.filter(({ program }) => program === undefined);
  const embedded: EmbeddedFact[] = [];
  const met = new Set<string>();
  for (const { program, shapeId, id } of listed.slice(0, MAX_LISTED)) {
    if (program === undefined || met.has(shapeId)) continue;
    met.add(shapeId);
    const anchor = shapes.get(shapeId)?.anchor;
    embedded.push({
      program,
      file: await addEmbeddedPart(parts, targets.get(id), rendering),
      ...(anchor === undefined ? {} : { anchor }),
    });
  }
  return {
    slicers: await slicersOfSheet(context),
    controls: await readControls(parts, controls, targets, shapes, rendering),
    embedded,
  };
}

async function slicersOfSheet({
  parts,
  relations,
  caches,
  anchors,
  rendering,
}: ObjectContext): Promise<SlicerFact[]> {
  const slicers: SlicerFact[] = [];
  for (const { type, target } of relations) {
    if ((type !== 'slicer' && type !== 'timeline') || !parts.has(target)) continue;
    const root = await readTree(parts, target, rendering);
    if (root) slicers.push(...slicersOf(root, caches, anchors));
  }
  return slicers;
}
