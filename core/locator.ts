/**
 * The address of a piece of evidence. `artifact` is a path: `results/<path>` for a deliverable,
 * `inputs/<path>` for a pristine file of the task. All numbers start at 1; ranges include both ends.
 */
export type Locator =
  | { readonly artifact: string; readonly kind: 'file' }
  | {
      readonly artifact: string;
      readonly kind: 'cells';
      readonly sheet: string;
      readonly range: string;
    }
  | {
      readonly artifact: string;
      readonly kind: 'lines';
      readonly from: number;
      readonly to: number;
    }
  | {
      readonly artifact: string;
      readonly kind: 'page';
      readonly page: number;
      readonly from?: number;
      readonly to?: number;
    }
  | {
      readonly artifact: string;
      readonly kind: 'paragraph';
      /** `body`, `header1`, `footer1`, `footnotes`, `endnotes`, `comments`. */
      readonly part: string;
      readonly from: number;
      readonly to: number;
    }
  | {
      readonly artifact: string;
      readonly kind: 'table';
      readonly table: number;
      readonly row?: number;
      readonly column?: number;
    };

/** `results/a.xlsx#cells=Stock!B2:B7`, `results/s.pdf#page=1&lines=3-5`, `inputs/c.docx#paragraph=body:4-6`. */
export function printLocator(locator: Locator): string {
  return `${encodePath(locator.artifact)}#${printFragment(locator)}`;
}

function printFragment(locator: Locator): string {
  switch (locator.kind) {
    case 'file':
      return 'file';
    case 'cells':
      return `cells=${encodePart(locator.sheet)}!${locator.range}`;
    case 'lines':
      return `lines=${locator.from}-${locator.to}`;
    case 'page':
      return locator.from === undefined
        ? `page=${locator.page}`
        : `page=${locator.page}&lines=${locator.from}-${locator.to ?? locator.from}`;
    case 'paragraph':
      return `paragraph=${encodePart(locator.part)}:${locator.from}-${locator.to}`;
    case 'table':
      return (
        `table=${locator.table}` +
        (locator.row === undefined ? '' : `&row=${locator.row}`) +
        (locator.column === undefined ? '' : `&column=${locator.column}`)
      );
  }
}

/** Reads what `printLocator` prints; `undefined` for anything else. */
export function parseLocator(text: string): Locator | undefined {
  const hash = text.lastIndexOf('#');
  if (hash <= 0) return undefined;
  const artifact = decode(text.slice(0, hash));
  const fragment = text.slice(hash + 1);
  if (artifact === undefined) return undefined;
  if (fragment === 'file') return { artifact, kind: 'file' };
  return (
    parseCells(artifact, fragment) ??
    parseLinesOrPage(artifact, fragment) ??
    parseParagraph(artifact, fragment) ??
    parseTable(artifact, fragment)
  );
}

function parseCells(artifact: string, fragment: string): Locator | undefined {
  const match = /^cells=(.*)!(\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?)$/su.exec(fragment);
  const sheet = match?.[1] === undefined ? undefined : decode(match[1]);
  const range = match?.[2];
  if (sheet === undefined || range === undefined) return undefined;
  return { artifact, kind: 'cells', sheet, range: range.replaceAll('$', '') };
}

function parseLinesOrPage(artifact: string, fragment: string): Locator | undefined {
  const lines = /^lines=(\d+)-(\d+)$/u.exec(fragment);
  if (lines) return { artifact, kind: 'lines', from: Number(lines[1]), to: Number(lines[2]) };
  const page = /^page=(\d+)(?:&lines=(\d+)-(\d+))?$/u.exec(fragment);
  if (!page) return undefined;
  return page[2] === undefined
    ? { artifact, kind: 'page', page: Number(page[1]) }
    : {
        artifact,
        kind: 'page',
        page: Number(page[1]),
        from: Number(page[2]),
        to: Number(page[3]),
      };
}

function parseParagraph(artifact: string, fragment: string): Locator | undefined {
  const match = /^paragraph=(.*):(\d+)-(\d+)$/su.exec(fragment);
  const part = match?.[1] === undefined ? undefined : decode(match[1]);
  if (!match || part === undefined) return undefined;
  return { artifact, kind: 'paragraph', part, from: Number(match[2]), to: Number(match[3]) };
}

function parseTable(artifact: string, fragment: string): Locator | undefined {
  const match = /^table=(\d+)(?:&row=(\d+))?(?:&column=(\d+))?$/u.exec(fragment);
  if (!match) return undefined;
  return {
    artifact,
    kind: 'table',
    table: Number(match[1]),
    ...(match[2] === undefined ? {} : { row: Number(match[2]) }),
    ...(match[3] === undefined ? {} : { column: Number(match[3]) }),
  };
}

/** Only what would be ambiguous is escaped, so that Chinese names stay readable. */
function encodePart(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('#', '%23').replaceAll('\n', '%0A');
}

const encodePath = encodePart;

function decode(text: string): string | undefined {
  if (/%(?!25|23|0A)/u.test(text)) return undefined;
  return text.replaceAll('%0A', '\n').replaceAll('%23', '#').replaceAll('%25', '%');
}
