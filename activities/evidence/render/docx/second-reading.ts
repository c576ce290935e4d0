import { XMLParser } from 'fast-xml-parser';
import { type OfficePackage } from '../package';
import { type Rendering } from '../rendering';
import { decodeXml } from '../xml-encoding';
import { lettersOf } from './letters';

export interface WordCounts {
  paragraphs: number;
  tables: number;
  /** Letters and digits in runs of text and equations. */
  letters: number;
}

/** Larger parts are not read a second time. */
const MAX_PART_BYTES = 16 * 1024 * 1024;

type Node = Readonly<Record<string, unknown>>;

/**
 * Counts paragraphs, tables and letters once more, with a parser that shares nothing with the first reading, and
 * says where the two differ: what the first one has skipped shows here.
 */
export async function holdAgainstSecondReading(
  parts: OfficePackage,
  read: readonly string[],
  met: Readonly<WordCounts>,
  rendering: Rendering,
): Promise<void> {
  const counted: WordCounts = { paragraphs: 0, tables: 0, letters: 0 };
  try {
    for (const part of new Set(read))
      count(decodeXml(part, await parts.read(part, MAX_PART_BYTES)), counted);
  } catch {
    rendering.warn('counts are not checked by a second reader, which cannot read the document');
    return;
  }
  const differing = (['paragraphs', 'tables', 'letters'] as const).filter(
    (name) => counted[name] !== met[name],
  );
  rendering.facts['secondReading'] =
    differing.length === 0
      ? 'fast-xml-parser counts the same paragraphs, tables and letters'
      : 'fast-xml-parser counts otherwise';
  for (const name of differing)
    rendering.warn(`${name}: this view has ${met[name]}, fast-xml-parser counts ${counted[name]}`);
}

function count(text: string, counted: WordCounts): void {
  const parser = new XMLParser({
    preserveOrder: true,
    removeNSPrefix: true,
    ignoreAttributes: true,
    parseTagValue: false,
    trimValues: false,
    processEntities: true,
  });
  visitAll(parser.parse(text) as Node[], counted);
}

function visitAll(nodes: readonly Node[], counted: WordCounts): void {
  for (const node of nodes) {
    for (const [name, children] of Object.entries(node)) {
      if (!Array.isArray(children)) continue;
      const inner = children as Node[];
      switch (name) {
        case 'AlternateContent':
          visitAll(preferred(inner), counted);
          break;
        case 't':
        case 'delText':
          counted.letters += lettersOf(inner.map(ownText).join(''));
          break;
        default:
          if (name === 'p') counted.paragraphs++;
          if (name === 'tbl') counted.tables++;
          visitAll(inner, counted);
      }
    }
  }
}

/** Character references by number are letters or not: they are decoded here, the named ones by the parser. */
function ownText({ '#text': text }: Node): string {
  if (typeof text !== 'string') return '';
  return text.replace(/&#(x?)([0-9a-f]{1,6});/giu, (_, hex: string, digits: string) =>
    String.fromCodePoint(Math.min(0x10ffff, Number.parseInt(digits, hex === '' ? 10 : 16))),
  );
}

/** The first version of a content that is there in several. */
function preferred(versions: readonly Node[]): Node[] {
  const filled = versions.find((version) =>
    Object.values(version).some(
      (children) => Array.isArray(children) && children.some((each: Node) => !('#text' in each)),
    ),
  );
  const children = filled && Object.values(filled).find(Array.isArray);
  return (children ?? []) as Node[];
}
