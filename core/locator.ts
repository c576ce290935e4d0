import { type Locator, SLIDE_PARTS } from './locator-kinds';

export * from './locator-kinds';

/**
 * `results/a.xlsx#cells=Stock!B2:B7`, `results/s.pdf#page=1&lines=3-5`, `inputs/c.docx#paragraph=body:4-6`,
 * `results/d.pptx#slide=3&shape=2&lines=1-2`, `results/n.ipynb#cell=4&output=1`, `results/a.zip#member=data/b.csv`,
 * `results/a.xlsx#object=chart:1@Sales`, `results/a.xlsx#compare=inputs/a.xlsx&part=Sales`.
 */
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
    default:
      return printInner(locator);
  }
}

/** Places that are neither cells nor text of a page or body. */
function printInner(
  locator: Exclude<
    Locator,
    { readonly kind: 'file' | 'cells' | 'lines' | 'page' | 'paragraph' | 'table' }
  >,
): string {
  switch (locator.kind) {
    case 'object':
      return (
        `object=${locator.object}:${locator.number}` +
        (locator.part === '' ? '' : `@${encodePart(locator.part)}`)
      );
    case 'comparison':
      return (
        `compare=${encodePart(locator.input).replaceAll('&', '%26')}` +
        (locator.part === undefined ? '' : `&part=${encodePart(locator.part)}`)
      );
    case 'slide':
      return printFields(
        [
          ['slide', locator.slide],
          ['shape', locator.shape],
          ['part', locator.part],
          ['row', locator.row],
          ['column', locator.column],
        ],
        locator,
      );
    case 'notebook':
      return printFields(
        [
          ['cell', locator.cell],
          ['output', locator.output],
        ],
        locator,
      );
    case 'member':
      return `${locator.entry === undefined ? '' : `entry=${locator.entry}&`}member=${encodePart(locator.member)}`;
  }
}

/** `name=value` of the fields that are there, and the lines. */
function printFields(
  fields: readonly (readonly [string, string | number | undefined])[],
  { from, to }: { readonly from?: number; readonly to?: number },
): string {
  const given = fields.flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${String(value)}`],
  );
  return [...given, ...(from === undefined ? [] : [`lines=${from}-${to ?? from}`])].join('&');
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
    parseTable(artifact, fragment) ??
    parseSlide(artifact, fragment) ??
    parseNotebook(artifact, fragment) ??
    parseMember(artifact, fragment) ??
    parseObject(artifact, fragment) ??
    parseComparison(artifact, fragment)
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

function parseSlide(artifact: string, fragment: string): Locator | undefined {
  const match =
    /^slide=(\d+)(?:&shape=(\d+))?(?:&part=([a-z]+))?(?:&row=(\d+))?(?:&column=(\d+))?(?:&lines=(\d+)-(\d+))?$/u.exec(
      fragment,
    );
  if (!match) return undefined;
  const part = SLIDE_PARTS.find((each) => each === match[3]);
  if (match[3] !== undefined && part === undefined) return undefined;
  return {
    artifact,
    kind: 'slide',
    slide: Number(match[1]),
    ...(match[2] === undefined ? {} : { shape: Number(match[2]) }),
    ...(part === undefined ? {} : { part }),
    ...(match[4] === undefined ? {} : { row: Number(match[4]) }),
    ...(match[5] === undefined ? {} : { column: Number(match[5]) }),
    ...linesOf(match[6], match[7]),
  };
}

function parseNotebook(artifact: string, fragment: string): Locator | undefined {
  const match = /^cell=(\d+)(?:&output=(\d+))?(?:&lines=(\d+)-(\d+))?$/u.exec(fragment);
  if (!match) return undefined;
  return {
    artifact,
    kind: 'notebook',
    cell: Number(match[1]),
    ...(match[2] === undefined ? {} : { output: Number(match[2]) }),
    ...linesOf(match[3], match[4]),
  };
}

function parseMember(artifact: string, fragment: string): Locator | undefined {
  const match = /^(?:entry=([2-9]|[1-9]\d+)&)?member=(.*)$/su.exec(fragment);
  const member = match?.[2] === undefined ? undefined : decode(match[2]);
  if (member === undefined) return undefined;
  const entry = match?.[1] === undefined ? {} : { entry: Number(match[1]) };
  return { artifact, kind: 'member', member, ...entry };
}

function linesOf(
  from: string | undefined,
  to: string | undefined,
): { readonly from?: number; readonly to?: number } {
  return from === undefined ? {} : { from: Number(from), to: Number(to) };
}

function parseObject(artifact: string, fragment: string): Locator | undefined {
  const match = /^object=([a-z-]+):(\d+)(?:@(.*))?$/su.exec(fragment);
  const [, object, number, name = ''] = match ?? [];
  const part = decode(name);
  if (object === undefined || part === undefined) return undefined;
  return { artifact, kind: 'object', object, number: Number(number), part };
}

function parseComparison(artifact: string, fragment: string): Locator | undefined {
  const match = /^compare=([^&]*)(?:&part=(.*))?$/su.exec(fragment);
  const input = match?.[1] === undefined ? undefined : decode(match[1]);
  const part = match?.[2] === undefined ? undefined : decode(match[2]);
  if (input === undefined || (match?.[2] !== undefined && part === undefined)) return undefined;
  return { artifact, kind: 'comparison', input, ...(part === undefined ? {} : { part }) };
}

/** Only what would be ambiguous is escaped, so that Chinese names stay readable. */
function encodePart(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('#', '%23').replaceAll('\n', '%0A');
}

const encodePath = encodePart;

function decode(text: string): string | undefined {
  if (/%(?!25|23|26|0A)/u.test(text)) return undefined;
  return text
    .replaceAll('%0A', '\n')
    .replaceAll('%23', '#')
    .replaceAll('%26', '&')
    .replaceAll('%25', '%');
}
