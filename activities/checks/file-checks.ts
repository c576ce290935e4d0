import { type ArtifactEntry, type ArtifactFormat } from '../../core/evidence-view';
import { plural } from '../../core/plural';
import { type Check } from '../../core/rubric';
import { type EvidenceReader } from '../evidence/port';
import { findDeliverable, requireDeliverable } from './lookup';
import { met, notApplicable, unmet } from './outcome';
import { type CheckOutcome } from './port';

type CheckOf<Kind extends Check['kind']> = Extract<Check, { readonly kind: Kind }>;

/**
 * Met by a file of that path that has content, can be opened and, where a format is named, has it by its
 * content and not only by its name. Formats that we do not read are left to the judge.
 */
export async function checkFileExists(
  { file, format }: CheckOf<'file-exists'>,
  evidence: EvidenceReader,
): Promise<CheckOutcome> {
  const entry = findDeliverable(evidence, file);
  if (!entry) return unmet(`no file results/${file} was delivered`);
  const { rendered } = entry;
  if (rendered.bytes === 0) return unmet(`results/${file} is empty`);
  if (rendered.status === 'corrupt' || rendered.status === 'encrypted')
    return unmet(`results/${file} cannot be opened (${rendered.status}): ${rendered.reason ?? ''}`);
  const found = met(
    `results/${file} was delivered (${rendered.format}, ${plural(rendered.bytes, 'byte')})`,
    {
      locator: { artifact: entry.artifact, kind: 'file' },
    },
  );
  if (format === undefined || hasFormat(entry, format)) return found;
  return rendered.format === 'other' || rendered.status === 'refused'
    ? notApplicable(`whether results/${file} is ${format} is not known: ${rendered.reason ?? ''}`)
    : unmet(`results/${file} is ${rendered.format} by its content, not ${format}`);
}

const TEXTUAL: readonly ArtifactFormat[] = [
  'code',
  'text',
  'json',
  'yaml',
  'xml',
  'html',
  'notebook',
];

function hasFormat({ rendered }: ArtifactEntry, format: string): boolean {
  // An old or foreign file that LibreOffice turned into that format is not one of it.
  if (rendered.facts['convertedFrom'] !== undefined) return false;
  if (format === 'code') return TEXTUAL.includes(rendered.format);
  if (format === 'text') return ['text', 'markdown', 'csv'].includes(rendered.format);
  return rendered.format === format;
}

/** Pages as LibreOffice or poppler count them. */
export async function checkPageCount(
  { file, min, max }: CheckOf<'page-count'>,
  evidence: EvidenceReader,
): Promise<CheckOutcome> {
  const entry = requireDeliverable(evidence, file);
  const pages = entry.rendered.counts['pages'];
  if (pages === undefined) return notApplicable(`the pages of results/${file} are not counted`);
  const citation = {
    locator: { artifact: entry.artifact, kind: 'file' as const },
    quote: `pages: ${pages}`,
  };
  if (min !== undefined && pages < min)
    return unmet(`results/${file} has ${plural(pages, 'page')}, fewer than ${min}`, citation);
  if (max !== undefined && pages > max)
    return unmet(`results/${file} has ${plural(pages, 'page')}, more than ${max}`, citation);
  return met(`results/${file} has ${plural(pages, 'page')}`, citation);
}
