import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CellRange, columnName, parseRange } from '../../../../core/cell-range';
import { type SheetFact } from '../../../../core/workbook-facts';
import { type OfficePackage, openPackage } from '../package';
import { relationshipsOf } from '../relationships';
import { child, elements, parseXmlText } from '../xml';
import { decodeXml } from '../xml-encoding';
import { writeZip } from '../zip-writer';
import { mainPart } from './workbook';

/** Beyond these, one page for a sheet would be too small to read. */
const SINGLE_PAGE_ROWS = 200;
const SINGLE_PAGE_COLUMNS = 60;
/** Drawn of a larger sheet, from its first cell on. */
export const DRAWN_ROWS = 150;
export const DRAWN_COLUMNS = 40;
/** Where a chart or picture lies that nobody scrolls to. */
const FAR_ROWS = 1_000;
const FAR_COLUMNS = 200;
/** Packages that inflate to more are drawn as they are. */
const MAX_BYTES = 96 * 1024 * 1024;

/** Whether a sheet is larger than a page image can show. */
export function isLargeSheet(sheet: SheetFact): boolean {
  const used = sheet.usedRange === '' ? undefined : parseRange(sheet.usedRange);
  if (used && (used.toRow > SINGLE_PAGE_ROWS || used.toColumn > SINGLE_PAGE_COLUMNS)) return true;
  const drawn = [...sheet.charts, ...(sheet.pictures ?? []), ...(sheet.shapes ?? [])];
  return drawn.some(({ anchor }) => {
    const place = anchor === undefined ? undefined : parseRange(anchor);
    return place && (place.toRow > FAR_ROWS || place.toColumn > FAR_COLUMNS);
  });
}

/**
 * A copy of a workbook to draw: of large sheets only their first cells are printed, since LibreOffice looks for pages
 * over all of a sheet; every other sheet is fitted to one page and printed whole. Nothing that is calculated or charted
 * changes. `undefined` where the file is too large, or written in a way that this does not know.
 */
export async function withPrintAreas(
  sourcePath: string,
  sheets: readonly SheetFact[],
  scratch: string,
): Promise<string | undefined> {
  const parts = await openPackage(sourcePath);
  try {
    const main = await mainPart(parts);
    const workbook = decodeXml(main, await parts.read(main));
    const changed = new Map([[main, withAreas(workbook, sheets)]]);
    for (const [at, part] of (await sheetParts(parts, main, workbook)).entries()) {
      const sheet = sheets[at];
      if (part === undefined || !sheet || sheet.state !== 'visible' || isLargeSheet(sheet))
        continue;
      changed.set(part, fitted(decodeXml(part, await parts.read(part))));
    }
    if ([...changed.values()].includes(undefined)) return undefined;
    const members = [];
    let bytes = 0;
    for (const name of parts.partNames) {
      const text = changed.get(name);
      const content = text === undefined ? await parts.read(name, MAX_BYTES) : Buffer.from(text);
      bytes += content.length;
      if (bytes > MAX_BYTES) return undefined;
      members.push({ name, content });
    }
    const path = join(scratch, 'with-print-areas');
    await writeFile(path, writeZip(members));
    return path;
  } catch {
    // A part that is too large or broken: drawn as it is, or not at all.
    return undefined;
  } finally {
    parts.close();
  }
}

/** Parts of the sheets in the workbook's order. */
async function sheetParts(
  parts: OfficePackage,
  main: string,
  workbook: string,
): Promise<(string | undefined)[]> {
  const root = parseXmlText(main, workbook);
  const relations = await relationshipsOf(parts, main);
  return elements(child(root, 'sheets') ?? root, 'sheet').map(({ attributes }) => {
    const found = relations.find(({ id }) => id === attributes['r:id']);
    return found?.type === 'worksheet' && parts.has(found.target) ? found.target : undefined;
  });
}

const PRINT_AREA =
  /<definedName\b[^>]*\bname="_xlnm\.Print_Area"[^>]*?(?:\/>|>[^<]*<\/definedName>)/gu;

/** The workbook part with our print areas and no others. */
function withAreas(workbook: string, sheets: readonly SheetFact[]): string | undefined {
  const names = sheets.flatMap((sheet, at) => {
    if (!isLargeSheet(sheet)) return [];
    const name = `'${sheet.name.replaceAll("'", "''")}'!${drawnRange(sheet)}`;
    return [
      `<definedName name="_xlnm.Print_Area" localSheetId="${at}">${quoted(name)}</definedName>`,
    ];
  });
  const rest = workbook.replace(PRINT_AREA, '').replace(/<definedNames\s*\/>/u, '');
  const list = /<definedNames\b[^>]*>/u.exec(rest);
  if (list) return inserted(rest, list, names.join(''));
  const before = /<\/externalReferences>/u.exec(rest) ?? /<\/sheets>/u.exec(rest);
  return before
    ? inserted(rest, before, `<definedNames>${names.join('')}</definedNames>`)
    : undefined;
}

function drawnRange({ usedRange }: SheetFact): string {
  const { fromRow, fromColumn }: Pick<CellRange, 'fromRow' | 'fromColumn'> = parseRange(
    usedRange,
  ) ?? { fromRow: 1, fromColumn: 1 };
  const [toRow, toColumn] = [fromRow + DRAWN_ROWS - 1, fromColumn + DRAWN_COLUMNS - 1];
  return `$${columnName(fromColumn)}$${fromRow}:$${columnName(Math.min(toColumn, 16_384))}$${Math.min(toRow, 1_048_576)}`;
}

/** A sheet part that prints on one page. */
function fitted(xml: string): string | undefined {
  const FIT = '<pageSetUpPr fitToPage="1"/>';
  const known = /<pageSetUpPr\b[^>]*?(?:\/>|><\/pageSetUpPr>)/u;
  // Several pages that its author asked for would be several images.
  const whole = xml.replace(/<pageSetup\b[^>]*>/u, (element) =>
    element.replace(/\s+fitTo(?:Height|Width)="\d+"/gu, ''),
  );
  if (known.test(whole)) return whole.replace(known, FIT);
  const empty = /<sheetPr\b([^>]*)\/>/u.exec(whole);
  if (empty) return whole.replace(empty[0], `<sheetPr${empty[1] ?? ''}>${FIT}</sheetPr>`);
  if (whole.includes('</sheetPr>')) return whole.replace('</sheetPr>', `${FIT}</sheetPr>`);
  const root = /<worksheet\b[^>]*>/u.exec(whole);
  return root ? inserted(whole, root, `<sheetPr>${FIT}</sheetPr>`) : undefined;
}

function inserted(text: string, after: RegExpExecArray, more: string): string {
  const at = after.index + after[0].length;
  return text.slice(0, at) + more + text.slice(at);
}

function quoted(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
