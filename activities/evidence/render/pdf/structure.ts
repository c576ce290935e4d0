import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  PDFRawStream,
  PDFRef,
  PDFString,
} from 'pdf-lib';
import { addEmbeddedFile } from '../embedded-files';
import { type Rendering } from '../rendering';
import { type Entries } from './entries';
import { unpackedStream } from './variants';

/** Depth and number beyond which trees of a file are not followed: they may be endless. */
const MAX_DEPTH = 40;
const MAX_NODES = 5_000;

export const name = (text: string): PDFName => PDFName.of(text);

/** A text of the file; empty for anything else. */
export function textOf(object: PDFObject | undefined): string {
  if (object instanceof PDFString || object instanceof PDFHexString)
    try {
      return object.decodeText().trim();
    } catch {
      return object.asString();
    }
  return object instanceof PDFName ? object.decodeText() : '';
}

export function lookupDict(dict: PDFDict | undefined, key: string): PDFDict | undefined {
  const value = dict?.lookup(name(key));
  if (value instanceof PDFRawStream) return value.dict;
  return value instanceof PDFDict ? value : undefined;
}

export function lookupDicts(dict: PDFDict, key: string): PDFDict[] {
  const value = dict.lookup(name(key));
  if (!(value instanceof PDFArray)) return [];
  return Array.from({ length: Math.min(value.size(), MAX_NODES) }, (_, at) =>
    value.lookup(at),
  ).filter((each): each is PDFDict => each instanceof PDFDict);
}

/** Bookmarks with their level. */
export function addOutline({ catalog }: PDFDocument, entries: Entries, rendering: Rendering): void {
  const seen = new Set<PDFDict>();
  const visit = (parent: PDFDict | undefined, depth: number): void => {
    let item = lookupDict(parent, 'First');
    while (item && !seen.has(item) && seen.size < MAX_NODES && depth < MAX_DEPTH) {
      seen.add(item);
      rendering.count('bookmarks');
      entries.add('outline', `level ${depth}: ${textOf(item.lookup(name('Title')))}`);
      visit(item, depth + 1);
      item = lookupDict(item, 'Next');
    }
  };
  visit(lookupDict(catalog, 'Outlines'), 1);
}

const HIDDEN_FLAG = 2;
const NO_VIEW_FLAG = 32;

/** Whether an annotation is neither shown nor printed. */
export function isHiddenAnnotation(annotation: PDFDict): boolean {
  const flags = annotation.lookup(name('F'));
  const value = flags instanceof PDFNumber ? flags.asNumber() : 0;
  return (value & (HIDDEN_FLAG | NO_VIEW_FLAG)) !== 0;
}

/** Files within the file: those of the document, and those pinned to a page. */
export function addAttachments(
  document: PDFDocument,
  entries: Entries,
  rendering: Rendering,
): void {
  const files = new Set<PDFDict>();
  const visit = (node: PDFDict | undefined, depth: number): void => {
    if (!node || depth > MAX_DEPTH || files.size > MAX_NODES) return;
    for (const file of lookupDicts(node, 'Names')) files.add(file);
    for (const kid of lookupDicts(node, 'Kids')) visit(kid, depth + 1);
  };
  visit(lookupDict(lookupDict(document.catalog, 'Names'), 'EmbeddedFiles'), 0);
  for (const { node } of document.getPages())
    for (const annotation of lookupDicts(node, 'Annots')) {
      const file = lookupDict(annotation, 'FS');
      if (file && textOf(annotation.lookup(name('Subtype'))) === 'FileAttachment') files.add(file);
    }
  if (files.size > 0) rendering.facts['embeddedFiles'] = true;
  for (const file of files) {
    rendering.count('attachments');
    const title = textOf(file.lookup(name('UF'))) || textOf(file.lookup(name('F')));
    const stream = lookupDict(file, 'EF')?.lookup(name('F'));
    const content = stream instanceof PDFRawStream ? unpackedStream(stream) : undefined;
    const path = title.replaceAll(/[/\\]/gu, '_');
    const what = content
      ? addEmbeddedFile(path, content, rendering)
      : 'its content is packed in a way that is not read';
    const about = textOf(file.lookup(name('Desc')));
    entries.add('attachments', `${title}${about === '' ? '' : `, ${about}`}: ${what}`, {
      isDescription: true,
    });
  }
}

/** Layers and whether they are shown when the file is opened. */
export function addLayers({ catalog }: PDFDocument, entries: Entries, rendering: Rendering): void {
  const properties = lookupDict(catalog, 'OCProperties');
  if (!properties) return;
  const standard = lookupDict(properties, 'D');
  const offByDefault = textOf(standard?.lookup(name('BaseState'))) === 'OFF';
  const [on, off] = [lookupRefs(standard, 'ON'), lookupRefs(standard, 'OFF')];
  for (const ref of lookupRefs(properties, 'OCGs')) {
    const layer = catalog.context.lookup(ref);
    if (!(layer instanceof PDFDict)) continue;
    const isOff = off.has(ref) || (offByDefault && !on.has(ref));
    rendering.count('layers');
    if (isOff) rendering.count('layersOff');
    entries.add('layers', `${textOf(layer.lookup(name('Name')))}: ${isOff ? 'off' : 'on'}`, {
      isDescription: true,
    });
  }
}

function lookupRefs(dict: PDFDict | undefined, key: string): ReadonlySet<PDFRef> {
  const value = dict?.lookup(name(key));
  if (!(value instanceof PDFArray)) return new Set();
  return new Set(value.asArray().filter((each): each is PDFRef => each instanceof PDFRef));
}

/** Kinds of actions that do something to or outside of the file. */
const ACTIONS: readonly string[] = [
  'JavaScript',
  'Launch',
  'SubmitForm',
  'ImportData',
  'GoToR',
  'GoToE',
  'Rendition',
  'RichMediaExecute',
];

/** Actions and scripts as facts; none of them is ever run. */
export function addActions(document: PDFDocument, entries: Entries, rendering: Rendering): void {
  const { catalog, context } = document;
  const found = new Map<string, number>();
  const seen = new Set<PDFObject>();
  const visit = (object: PDFObject | undefined, depth: number): void => {
    if (depth > MAX_DEPTH || object === undefined || seen.has(object)) return;
    if (object instanceof PDFRawStream) visit(object.dict, depth);
    if (object instanceof PDFArray) {
      seen.add(object);
      for (const each of object.asArray()) visit(each, depth + 1);
    }
    if (!(object instanceof PDFDict)) return;
    seen.add(object);
    const kind = textOf(object.get(name('S')));
    if (ACTIONS.includes(kind)) found.set(kind, (found.get(kind) ?? 0) + 1);
    for (const [, value] of object.entries()) visit(value, depth + 1);
  };
  for (const [, object] of context.enumerateIndirectObjects()) visit(object, 0);
  for (const [kind, count] of [...found].sort())
    entries.add('actions', `${kind}: ${count}, never run here`, { isDescription: true });
  if (catalog.has(name('OpenAction'))) rendering.facts['openAction'] = true;
  if (found.has('JavaScript') || lookupDict(lookupDict(catalog, 'Names'), 'JavaScript'))
    rendering.facts['javaScript'] = true;
  if (found.has('Launch')) rendering.facts['launchesPrograms'] = true;
}
