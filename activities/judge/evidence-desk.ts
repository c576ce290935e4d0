import { type ArtifactEntry } from '../../core/evidence-view';
import { type Locator, parentArtifact, parseLocator, printLocator } from '../../core/locator';
import { type EvidenceReader } from '../evidence/port';
import { TextIndex } from './grounding/text-index';
import { escapeContent, oneLine } from './prompt/framing';

/** One run's evidence as tools and grounding use it: lookups that forgive escaping, and text indexes made once. */
export class EvidenceDesk {
  readonly #indexes = new Map<string, Promise<TextIndex>>();

  constructor(readonly reader: EvidenceReader) {}

  get entries(): readonly ArtifactEntry[] {
    return this.reader.view.entries;
  }

  get deliverables(): readonly ArtifactEntry[] {
    return this.entries.filter((entry) => entry.origin === 'deliverable');
  }

  /** By its path, or by the escaped form of it that the judge was shown. */
  find(artifact: string): ArtifactEntry | undefined {
    return (
      this.entries.find((entry) => entry.artifact === artifact) ??
      this.entries.find((entry) => sameName(entry.artifact, artifact))
    );
  }

  /** Visible text, folded, words compared as they are. */
  visibleText(artifact: string): Promise<TextIndex> {
    return this.#index(artifact, 'exact', (segments) => {
      return new TextIndex(segments, { visibility: 'visible', ignoreCase: false });
    });
  }

  /** Visible text for searches: case is ignored. */
  searchable(artifact: string): Promise<TextIndex> {
    return this.#index(artifact, 'search', (segments) => {
      return new TextIndex(segments, { visibility: 'visible', ignoreCase: true });
    });
  }

  /** Hidden text for searches: case is ignored. */
  hiddenText(artifact: string): Promise<TextIndex> {
    return this.#index(artifact, 'hidden', (segments) => {
      return new TextIndex(segments, { visibility: 'hidden', ignoreCase: true });
    });
  }

  /** Reads a locator as the judge writes it; names may be in their escaped form. */
  async parse(text: string): Promise<Locator | undefined> {
    const parsed = parseLocator(text.trim());
    if (parsed === undefined) return undefined;
    const entry = this.find(parsed.artifact);
    const artifact = entry?.artifact ?? parsed.artifact;
    if (parsed.kind !== 'cells') return { ...parsed, artifact };
    const sheet = entry ? await this.findSheet(entry.artifact, parsed.sheet) : undefined;
    return { ...parsed, artifact, sheet: sheet ?? parsed.sheet };
  }

  /** The sheet's own name; quotes around it and escaping are forgiven. */
  async findSheet(artifact: string, given: string): Promise<string | undefined> {
    const names = (await this.reader.workbook(artifact))?.sheets.map((sheet) => sheet.name) ?? [];
    const unquoted = /^'(.*)'$/u.exec(given)?.[1]?.replaceAll("''", "'");
    return (
      names.find((name) => name === given) ??
      names.find((name) => name === unquoted || sameName(name, unquoted ?? given))
    );
  }

  #index(
    artifact: string,
    kind: string,
    make: (segments: Awaited<ReturnType<EvidenceReader['segments']>>) => TextIndex,
  ): Promise<TextIndex> {
    const key = `${kind} ${artifact}`;
    const known = this.#indexes.get(key);
    if (known) return known;
    const made = this.reader.segments(artifact).then(make);
    // A failed read is tried again by whoever asks next.
    made.catch(() => this.#indexes.delete(key));
    this.#indexes.set(key, made);
    return made;
  }
}

function sameName(name: string, given: string): boolean {
  return (
    escapeContent(name) === given ||
    oneLine(name) === given ||
    name.normalize('NFC') === given.normalize('NFC')
  );
}

/** Facts about a file on one line, as the manifest shows them and as a `#file` citation may quote them. */
export function describeArtifact(entry: ArtifactEntry): string {
  const { format, status, bytes, counts, reason, warnings } = entry.rendered;
  const parts = [
    format,
    status + (reason === undefined ? '' : ` (${withoutFacts(reason)})`),
    `${bytes} bytes`,
    ...Object.entries(counts)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, count]) => `${name}: ${count}`),
    ...describeOrigin(entry),
    ...(entry.rendered.pages.length > 0 ? [`page images: ${entry.rendered.pages.length}`] : []),
    ...pageMap(entry),
    ...hiddenNote(entry),
    ...warnings.slice(0, 3).map((warning) => `warning: ${withoutFacts(warning).slice(0, 200)}`),
  ];
  return parts.join(', ');
}

/**
 * Text that may have words of the file, such as its name or that of a sheet: without the commas and colons that would
 * make `a, charts: 9` look like a fact of ours.
 */
function withoutFacts(text: string): string {
  return oneLine(text.normalize('NFKC'))
    .replaceAll(/\s*:+\s*/gu, ' - ')
    .replaceAll(',', ';');
}

/** What a file holds that no reader sees, by cause and count. */
function hiddenNote({ rendered: { hidden = [] } }: ArtifactEntry): string[] {
  if (hidden.length === 0) return [];
  const causes = hidden.map(({ cause, count }) => `${cause} ${count}`).join('; ');
  return [`not visible to a reader (proves nothing): ${causes}`];
}

/** Facts of the record that are in our words, not the file's. */
const SHOWN_FACTS = [
  'convertedFrom',
  'archive',
  'imageFormat',
  'encoding',
  'delimiter',
  'valid',
  'topLevel',
  'slideSizeInches',
  'hiddenSlideNumbers',
  'macros',
  'pagesNote',
] as const;

/** Where the file comes from and what it is, as far as no count says so. */
function describeOrigin({ artifact, rendered, language, images = [] }: ArtifactEntry): string[] {
  const parent = parentArtifact(artifact);
  const missing = images.filter((image) => image.artifact === undefined);
  return [
    ...(parent ? [`unpacked from ${withoutFacts(parent.artifact)}`] : []),
    ...(language === undefined ? [] : [`language: ${language}`]),
    ...SHOWN_FACTS.flatMap((name) => {
      const value = rendered.facts[name];
      return value === undefined ? [] : [`${name}: ${oneLine(String(value))}`];
    }),
    ...(images.length > 0
      ? [
          `pictures beside it: ${images.length - missing.length} delivered, ${missing.length} missing`,
        ]
      : []),
  ];
}

const MAX_MAPPED_PAGES = 40;
const MAPPED_FORMATS: ReadonlySet<string> = new Set(['pptx', 'xlsx', 'notebook']);

/** What stands on the page images of slides, sheets and notebooks: their numbers are not those of the pages. */
function pageMap({ rendered }: ArtifactEntry): string[] {
  if (!MAPPED_FORMATS.has(rendered.format)) return [];
  const named = rendered.pages.flatMap(({ page, source }) =>
    source === undefined ? [] : [`page ${page} = ${withoutFacts(source)}`],
  );
  if (named.length === 0) return [];
  const more = named.length - MAX_MAPPED_PAGES;
  return [...named.slice(0, MAX_MAPPED_PAGES), ...(more > 0 ? [`${more} more pages`] : [])];
}

/** A locator on one line, escaped, as the judge sees and copies it. */
export function shownLocator(locator: Locator): string {
  return oneLine(printLocator(locator));
}
