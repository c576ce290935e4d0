import { writeZip } from '../../activities/evidence/render/zip-writer';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';
const SHEET_DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing';
const CHART = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const X14 = 'http://schemas.microsoft.com/office/spreadsheetml/2009/9/main';
const XM = 'http://schemas.microsoft.com/office/excel/2006/main';

export interface TestSheet {
  readonly name: string;
  /** Attributes of its entry in the workbook, such as `state="hidden"`. */
  readonly entry?: string;
  /** The whole content of the worksheet element, `sheetData` included; with `isWhole` the whole part. */
  readonly xml: string;
  readonly isWhole?: boolean;
  /** Relationships as [id, type, target]; a target with `://` is external. */
  readonly relations?: readonly (readonly [id: string, type: string, target: string])[];
}

export interface TestWorkbook {
  readonly sheets: readonly TestSheet[];
  /** Of the workbook part, behind its sheets: names, protection. */
  readonly workbookXml?: string;
  /** Entries behind those of the sheets. */
  readonly extraSheets?: string;
  readonly strings?: readonly string[];
  readonly styles?: string;
  /** Further parts, with the content type where it is not that of the extension. */
  readonly parts?: Readonly<Record<string, readonly [content: string, contentType?: string]>>;
  /** Names of parts whose content is bytes, a character each. */
  readonly isLatin1?: readonly string[];
  /** More relationships of the workbook part. */
  readonly relations?: readonly (readonly [id: string, type: string, target: string])[];
}

/** A workbook package written by hand: what no library would write can be written too. */
export function workbookPackage(book: TestWorkbook): Buffer {
  const sheets = book.sheets.map((sheet, at) => ({
    ...sheet,
    part: `worksheets/sheet${at + 1}.xml`,
  }));
  const parts: [string, string, string?][] = [
    ['_rels/.rels', relationships([['rId1', 'officeDocument', 'xl/workbook.xml']])],
    [
      'xl/workbook.xml',
      workbookXml(book),
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml',
    ],
    [
      'xl/_rels/workbook.xml.rels',
      relationships([
        ...sheets.map(({ part }, at) => [`rId${at + 1}`, 'worksheet', part] as const),
        ...(book.strings ? [['rIdStrings', 'sharedStrings', 'sharedStrings.xml'] as const] : []),
        ...(book.styles === undefined ? [] : [['rIdStyles', 'styles', 'styles.xml'] as const]),
        ...(book.relations ?? []),
      ]),
    ],
    ...sheets.flatMap(
      ({ part, xml, isWhole = false, relations = [] }): [string, string, string?][] => [
        [
          `xl/${part}`,
          isWhole ? xml : element('worksheet', xml),
          'application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml',
        ],
        ...(relations.length > 0
          ? [
              [`xl/worksheets/_rels/${part.slice(11)}.rels`, relationships(relations)] as [
                string,
                string,
              ],
            ]
          : []),
      ],
    ),
    ...(book.strings
      ? [
          [
            'xl/sharedStrings.xml',
            element('sst', book.strings.map((text) => `<si><t>${text}</t></si>`).join('')),
          ] as [string, string],
        ]
      : []),
    ...(book.styles === undefined
      ? []
      : [['xl/styles.xml', element('styleSheet', book.styles)] as [string, string]]),
    ...Object.entries(book.parts ?? {}).map(([name, [content, type]]): [string, string, string?] =>
      type === undefined ? [name, content] : [name, content, type],
    ),
  ];
  const overrides = parts.flatMap(([name, , type]) =>
    type === undefined ? [] : [`<Override PartName="/${name}" ContentType="${type}"/>`],
  );
  const types = `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`;
  return writeZip(
    [['[Content_Types].xml', types] as const, ...parts].map(([name, content]) => ({
      name,
      content: Buffer.from(content, book.isLatin1?.includes(name) ? 'latin1' : 'utf8'),
    })),
  );
}

function workbookXml({ sheets, workbookXml: rest = '', extraSheets = '' }: TestWorkbook): string {
  const entries = sheets.map(
    ({ name, entry = '' }, at) =>
      `<sheet name="${name}" sheetId="${at + 1}" ${entry} r:id="rId${at + 1}"/>`,
  );
  return element('workbook', `<sheets>${entries.join('')}${extraSheets}</sheets>${rest}`);
}

export function element(name: string, content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?><${name} xmlns="${MAIN}" xmlns:r="${OFFICE}" xmlns:a="${DRAWING}" xmlns:xdr="${SHEET_DRAWING}" xmlns:c="${CHART}" xmlns:x14="${X14}" xmlns:xm="${XM}">${content}</${name}>`;
}

export function relationships(
  rows: readonly (readonly [id: string, type: string, target: string])[],
): string {
  const entries = rows.map(
    ([id, type, target]) =>
      `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${target.includes('://') ? ' TargetMode="External"' : ''}/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${entries.join('')}</Relationships>`;
}

/** Rows of a sheet; a cell is a number, a text, `=formula` (without a result) or XML of its own. */
export function rowsXml(rows: readonly (readonly (number | string | null)[])[]): string {
  const cell = (content: number | string | null, ref: string): string => {
    if (content === null) return '';
    if (typeof content === 'number') return `<c r="${ref}"><v>${content}</v></c>`;
    if (content.startsWith('<')) return content;
    if (content.startsWith('=')) return `<c r="${ref}"><f>${content.slice(1)}</f></c>`;
    return `<c r="${ref}" t="inlineStr"><is><t>${content}</t></is></c>`;
  };
  const lines = rows.map((row, at) => {
    const cells = row.map((content, column) =>
      cell(content, `${String.fromCharCode(65 + column)}${at + 1}`),
    );
    return `<row r="${at + 1}">${cells.join('')}</row>`;
  });
  return `<sheetData>${lines.join('')}</sheetData>`;
}
