import { messageOf } from '../package';
import { readOfficePackage } from '../read-office-package';
import { type RenderContext, needed } from '../render-context';
import { Unreadable } from '../rendering';

/** The kinds that LibreOffice turns into an office package of ours. */
const TARGETS = {
  doc: 'docx',
  rtf: 'docx',
  odt: 'docx',
  xls: 'xlsx',
  xlsb: 'xlsx',
  ods: 'xlsx',
  ppt: 'pptx',
  odp: 'pptx',
} as const;

export type ConvertedKind = keyof typeof TARGETS;

const FILTERS = {
  docx: 'docx:MS Word 2007 XML',
  xlsx: 'xlsx:Calc MS Excel 2007 XML',
  pptx: 'pptx:Impress MS PowerPoint 2007 XML',
} as const;

/**
 * Reads LibreOffice's copy of an older or foreign office file by the reader of that format. The record says
 * what it was converted from: places and counts are the copy's. Throws `Unreadable`.
 */
export async function readLegacy(
  sourcePath: string,
  kind: ConvertedKind,
  context: RenderContext,
): Promise<void> {
  const to = TARGETS[kind];
  const note = (rendering: ReturnType<RenderContext['started']>): typeof rendering => {
    rendering.facts['convertedFrom'] = kind;
    rendering.warn(`a .${kind} file: what follows is read from LibreOffice's copy as ${to}`);
    return rendering;
  };
  note(context.started(to));
  const tools = needed(context.tools);
  let copy: string;
  try {
    copy = await tools.office.convert(sourcePath, { extension: kind, to, filter: FILTERS[to] });
  } catch (error) {
    const message = messageOf(error);
    throw new Unreadable(
      /time limit/u.test(message) ? 'refused' : 'corrupt',
      `the .${kind} file is broken or needs a password: ${message}`,
    );
  }
  await readOfficePackage(copy, { ...context, started: (format) => note(context.started(format)) });
}
