import { type ArtifactEntry } from '../../../core/evidence-view';

/** Words that people add to the name of a file they have worked on. */
const ADDED_WORDS =
  /final|updated?|revised|completed?|filled|cleaned|clean|edited|modified|output|results?|copy|new|done|v\d+|\d{8}|\d{4}-\d\d-\d\d|已?(?:完成|修订|修改|更新|填写|清洗)版?|最终版?|终稿|副本|结果/giu;

/**
 * The input that a deliverable was made from, by its name: the same path, else the same file name, else one whose
 * name differs only in words such as "final" or "v2". Nothing where two inputs fit alike.
 */
export function pairedInput(
  artifact: string,
  entries: readonly ArtifactEntry[],
): string | undefined {
  const ours = entries.find((entry) => entry.artifact === artifact);
  if (ours?.origin !== 'deliverable') return undefined;
  const inputs = entries.filter(
    ({ origin, rendered }) => origin === 'input' && rendered.format === ours.rendered.format,
  );
  const path = tail(artifact);
  for (const same of [
    (name: string) => tail(name) === path,
    (name: string) => base(name) === base(artifact),
    (name: string) => stem(name) === stem(artifact) && stem(name) !== '',
  ]) {
    const found = inputs.filter((entry) => same(entry.artifact));
    if (found.length === 1) return found[0]?.artifact;
    if (found.length > 1) return undefined;
  }
  return undefined;
}

/** The path without `results/` or `inputs/`. */
function tail(artifact: string): string {
  return artifact.slice(artifact.indexOf('/') + 1).normalize('NFC');
}

function base(artifact: string): string {
  return artifact
    .slice(artifact.lastIndexOf('/') + 1)
    .normalize('NFC')
    .toLowerCase();
}

function stem(artifact: string): string {
  return base(artifact)
    .replace(/\.[^.]*$/u, '')
    .replaceAll(/[\s_()[\]{}（）【】-]+/gu, ' ')
    .replaceAll(ADDED_WORDS, ' ')
    .replaceAll(/\s+/gu, '');
}
