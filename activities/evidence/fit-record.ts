import { type ArtifactEntry } from '../../core/evidence-view';
import { canonicalJson } from '../../core/ids';

/** A view is one record, and records hold at most 1 MiB. */
const MAX_VIEW_BYTES = 960 * 1024;

const WITHOUT_PAGES = 'page images are left out: the run has too many files';

/**
 * Entries that fit into one record: first all without page images, as far as they go, then the page images of
 * one file after another while there is room. What is left out is said or counted.
 */
export function fitRecord(
  entries: readonly ArtifactEntry[],
  maxBytes = MAX_VIEW_BYTES,
): { readonly entries: ArtifactEntry[]; readonly leftOut: number } {
  let room = maxBytes;
  const kept: { readonly full: ArtifactEntry; readonly bare: ArtifactEntry }[] = [];
  for (const full of entries) {
    const bare = withoutPages(full);
    const bytes = sizeOf(bare);
    if (bytes > room) break;
    room -= bytes;
    kept.push({ full, bare });
  }
  const fitted = kept.map(({ full, bare }) => {
    const bytes = sizeOf(full) - sizeOf(bare);
    if (bytes > room) return bare;
    room -= Math.max(0, bytes);
    return full;
  });
  return { entries: fitted, leftOut: entries.length - kept.length };
}

function withoutPages(entry: ArtifactEntry): ArtifactEntry {
  const { rendered } = entry;
  if (rendered.pages.length === 0) return entry;
  const warnings = [...rendered.warnings, WITHOUT_PAGES];
  return { ...entry, rendered: { ...rendered, status: 'truncated', warnings, pages: [] } };
}

/** Bytes of an entry within its list. */
function sizeOf(entry: ArtifactEntry): number {
  return Buffer.byteLength(canonicalJson(entry)) + 1;
}
