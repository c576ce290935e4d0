import { type ProgramEnd, runProgram } from '../program';
import { Unreadable } from '../rendering';

/** A word and its box, in points from the left and the top of the page as it is shown. */
export interface Word {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface PageWords {
  /** Points, before the page is turned. */
  readonly width: number;
  readonly height: number;
  readonly words: readonly Word[];
}

/** What `pdfinfo` says of a file, by its own names: `Pages`, `Encrypted`, `Form`, `JavaScript`, ... */
export type PdfInfo = ReadonlyMap<string, string>;

/** Throws `Unreadable` where poppler cannot open the file. */
export async function readInfo(sourcePath: string): Promise<PdfInfo> {
  const end = checked(await runProgram('pdfinfo', [sourcePath]));
  return new Map(
    end.standardOutput
      .toString('utf8')
      .split('\n')
      .flatMap((line): [string, string][] => {
        const match = /^([A-Za-z ]+):\s*(.*)$/u.exec(line);
        return match?.[1] === undefined ? [] : [[match[1], match[2] ?? '']];
      }),
  );
}

/** Text of each page, laid out as on the page or in the order of the file's own drawing (`raw`). */
export async function readPages(
  sourcePath: string,
  order: 'layout' | 'raw',
): Promise<{ readonly pages: string[]; readonly isCut: boolean }> {
  const end = checked(
    await runProgram('pdftotext', [`-${order}`, '-cropbox', '-enc', 'UTF-8', sourcePath, '-']),
  );
  const pages = end.standardOutput.toString('utf8').split('\f');
  pages.pop();
  return { pages, isCut: end.isCut };
}

/** Pages by number, both ends included. */
export interface PageRange {
  readonly first: number;
  readonly last: number;
}

const rangeOptions = ({ first, last }: PageRange): string[] => [
  ...['-f', String(first), '-l', String(last)],
];

/** Boxes of all words of those pages. Empty where poppler has none. */
export async function readWords(pdfPath: string, range: PageRange): Promise<PageWords[]> {
  const end = await runProgram('pdftotext', [
    ...['-bbox', '-cropbox', ...rangeOptions(range), '-enc', 'UTF-8'],
    ...[pdfPath, '-'],
  ]);
  return parseBoxes(end.standardOutput.toString('utf8'));
}

/** A font as `pdffonts` lists it. */
export interface PdfFont {
  readonly name: string;
  readonly type: string;
  readonly isEmbedded: boolean;
  readonly isSubset: boolean;
  /** Whether its letters can be told from the file; without it copied text may be wrong. */
  readonly hasUnicode: boolean;
}

export async function readFonts(pdfPath: string): Promise<PdfFont[]> {
  const end = await runProgram('pdffonts', [pdfPath]);
  return end.standardOutput
    .toString('utf8')
    .split('\n')
    .slice(2)
    .flatMap((line): PdfFont[] => {
      const match =
        /^(.*?)\s+((?:CID )?(?:Type 1C?|Type 0C?|Type 3|TrueType)(?: \(OT\))?|unknown)\s+.*?\s(yes|no)\s+(yes|no)\s+(yes|no)\s+\d+\s+\d+\s*$/u.exec(
          line,
        );
      if (!match) return [];
      return [
        {
          name: match[1] ?? '',
          type: match[2] ?? '',
          isEmbedded: match[3] === 'yes',
          isSubset: match[4] === 'yes',
          hasUnicode: match[5] === 'yes',
        },
      ];
    });
}

/** A picture that a page draws. */
export interface PdfPicture {
  readonly page: number;
  readonly widthPixels: number;
  readonly heightPixels: number;
  /** As it stands on the page, at 72 points an inch. */
  readonly widthPoints: number;
  readonly heightPoints: number;
}

const PICTURE =
  /^\s*(\d+)\s+\d+\s+(?:image|stencil)\s+(\d+)\s+(\d+)\s+.*?\s(\d+)\s+(\d+)\s+\S+\s+\S+\s*$/gmu;

/** Pictures of the pages in the order in which they are drawn, without the masks that belong to them. */
export async function readPictures(pdfPath: string, range: PageRange): Promise<PdfPicture[]> {
  const end = await runProgram('pdfimages', ['-list', ...rangeOptions(range), pdfPath]);
  return [...end.standardOutput.toString().matchAll(PICTURE)].map((match) => {
    const [page = 0, widthPixels = 0, heightPixels = 0, acrossDpi = 0, downDpi = 0] = match
      .slice(1)
      .map(Number);
    return {
      ...{ page, widthPixels, heightPixels },
      widthPoints: (widthPixels / Math.max(1, acrossDpi)) * 72,
      heightPoints: (heightPixels / Math.max(1, downDpi)) * 72,
    };
  });
}

/** Those of the pages that hold a picture. */
export async function pagesWithPictures(
  pdfPath: string,
  range: PageRange,
): Promise<ReadonlySet<number>> {
  return new Set((await readPictures(pdfPath, range)).map(({ page }) => page));
}

function checked(end: ProgramEnd): ProgramEnd {
  if (/Incorrect password/u.test(end.standardError))
    throw new Unreadable('encrypted', 'the PDF needs a password');
  if (end.timedOut) throw new Unreadable('refused', 'poppler was stopped at its time limit');
  if (end.exitCode !== 0 && !end.isCut) {
    const words = end.standardError.trim().split('\n')[0]?.slice(0, 200) ?? '';
    throw new Unreadable('corrupt', `poppler cannot read it: ${words}`);
  }
  return end;
}

/** Reads poppler's list of word boxes, page by page. */
function parseBoxes(html: string): PageWords[] {
  return html
    .split('<page ')
    .slice(1)
    .map((page) => {
      const size = /^width="([\d.]+)" height="([\d.]+)"/u.exec(page);
      const words = page.matchAll(
        /<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)<\/word>/gu,
      );
      return {
        width: Number(size?.[1] ?? 1),
        height: Number(size?.[2] ?? 1),
        words: [...words].map(([, left, top, right, bottom, text]) => ({
          text: unescapeHtml(text ?? ''),
          left: Number(left),
          top: Number(top),
          right: Number(right),
          bottom: Number(bottom),
        })),
      };
    });
}

function unescapeHtml(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
