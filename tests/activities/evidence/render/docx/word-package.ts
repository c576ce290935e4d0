import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDocx } from '../../../../../activities/evidence/render/docx/render-docx';
import { openPackage } from '../../../../../activities/evidence/render/package';
import { Rendering } from '../../../../../activities/evidence/render/rendering';
import { writeZip } from '../../../../../activities/evidence/render/zip-writer';
import { type TextSegment } from '../../../../../core/evidence-view';
import { printLocator } from '../../../../../core/locator';

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const NAMESPACES = [
  'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"',
  `xmlns:r="${OFFICE}"`,
  'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"',
  'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"',
  'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"',
  'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"',
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"',
  'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram"',
  'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"',
  'xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"',
  'xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml"',
  'xmlns:w15="http://schemas.microsoft.com/office/word/2012/wordml"',
  'xmlns:v="urn:schemas-microsoft-com:vml"',
  'xmlns:o="urn:schemas-microsoft-com:office:office"',
].join(' ');

/** A further part of the package: its relationship's type and id, its root element and content. */
export interface WordPart {
  readonly type: string;
  readonly id: string;
  readonly content: string;
  readonly root?: string;
  /** A target outside of the package instead of a part. */
  readonly external?: string;
}

export interface WordSource {
  readonly body: string;
  /** By path. */
  readonly parts?: Readonly<Record<string, WordPart>>;
  /** Replaces the namespaces' prefix and address, for other dialects. */
  readonly dialect?: (xml: string) => string;
  readonly absoluteTargets?: boolean;
}

export const run = (text: string, properties = ''): string =>
  `<w:r>${properties === '' ? '' : `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;

export const paragraph = (content: string, properties = ''): string =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`;

export const words = (text: string): string => paragraph(run(text));

/** A document package of these parts, as a zip archive. */
export function wordPackage({
  body,
  parts = {},
  dialect = (xml) => xml,
  absoluteTargets = false,
}: WordSource): Buffer {
  const relations = Object.entries(parts).map(([path, { type, id, external }]) => {
    const target = absoluteTargets ? `/${path}` : path.replace(/^word\//u, '');
    const place =
      external === undefined ? `Target="${target}"` : `Target="${external}" TargetMode="External"`;
    return `<Relationship Id="${id}" Type="${OFFICE}/${type}" ${place}/>`;
  });
  const main = absoluteTargets ? '/word/document.xml' : 'word/document.xml';
  const files: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="${main}"/></Relationships>`,
    'word/document.xml': `<w:document ${NAMESPACES}><w:body>${body}</w:body></w:document>`,
    'word/_rels/document.xml.rels': `<Relationships xmlns="${PACKAGE}/relationships">${relations.join('')}</Relationships>`,
  };
  for (const [path, { content, root, external }] of Object.entries(parts))
    if (external === undefined)
      files[path] = root === undefined ? content : `<${root} ${NAMESPACES}>${content}</${root}>`;
  return writeZip(
    Object.entries(files).map(([name, content]) => ({
      name,
      content: Buffer.from(dialect(content)),
    })),
  );
}

export interface ReadDocument {
  readonly rendering: Rendering;
  /** `place | label | text` of what a reader sees, and of what is hidden. */
  readonly visible: readonly string[];
  readonly hidden: readonly string[];
  segment(place: string): TextSegment | undefined;
}

/** Reads a document of these parts in this process. */
export async function readWord(source: WordSource): Promise<ReadDocument> {
  const folder = await mkdtemp(join(tmpdir(), 'word-'));
  try {
    const path = join(folder, 'source');
    await writeFile(path, wordPackage(source));
    const parts = await openPackage(path);
    const rendering = new Rendering('docx');
    try {
      await readDocx(parts, rendering);
    } finally {
      parts.close();
    }
    const lines = (visibility: TextSegment['visibility']): string[] =>
      rendering.segments
        .filter((segment) => segment.visibility === visibility)
        .map((segment) => `${placeOf(segment)} | ${segment.label ?? ''} | ${segment.text}`);
    return {
      rendering,
      visible: lines('visible'),
      hidden: lines('hidden'),
      segment: (place) => rendering.segments.find((each) => placeOf(each) === place),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const placeOf = ({ locator }: TextSegment): string => printLocator(locator).slice(1);
