import { type ArtifactEntry } from '../../../core/evidence-view';
import { oneLine } from '../prompt/framing';
import { ToolProblem, type ToolContext } from './tool';

/** Characters of one tool answer: about 5,000 tokens. */
export const MAX_ANSWER_CHARACTERS = 20_000;

/** The artifact, or a `ToolProblem` that names what there is. */
export function requireArtifact(context: ToolContext, name: string): ArtifactEntry {
  const entry = context.desk.find(name);
  if (entry) return entry;
  const names = context.desk.entries.map(({ artifact }) => `  ${oneLine(artifact)}`).slice(0, 100);
  throw new ToolProblem(
    `no such artifact. There are:\n${context.framing.frame('names', names.join('\n'))}`,
  );
}

/** Why an artifact may have nothing to read. */
export function statusNote(entry: ArtifactEntry): string {
  const { status, reason } = entry.rendered;
  if (status === 'rendered') return '';
  return ` The file is ${status}${reason === undefined ? '' : `: ${oneLine(reason)}`}.`;
}

/** Takes whole lines while they fit. */
export function takeLines(
  lines: readonly string[],
  maxCharacters: number = MAX_ANSWER_CHARACTERS,
): { readonly taken: readonly string[]; readonly left: number } {
  let characters = 0;
  let count = 0;
  for (const line of lines) {
    characters += line.length + 1;
    if (characters > maxCharacters && count > 0) break;
    count++;
  }
  return { taken: lines.slice(0, count), left: lines.length - count };
}

/** Cuts a text of one segment or cell that is longer than any reader needs at once. */
export function shorten(text: string, maxCharacters = 4_000): string {
  return text.length <= maxCharacters
    ? text
    : `${text.slice(0, maxCharacters)} [${text.length - maxCharacters} more characters: use run_python]`;
}
