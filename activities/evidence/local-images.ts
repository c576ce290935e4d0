import { posix } from 'node:path';
import { type ArtifactEntry } from '../../core/evidence-view';

/** Each text's pictures with the artifacts that they are: found beside it, by the path that it gives. */
export function withImages(entries: readonly ArtifactEntry[]): ArtifactEntry[] {
  const known = new Set(entries.map(({ artifact }) => artifact));
  return entries.map((entry) => {
    const targets = entry.rendered.localImages;
    if (!targets) return entry;
    const images = targets.map((target) => {
      const artifact = candidates(entry.artifact, target).find((each) => known.has(each));
      return artifact === undefined ? { target } : { target, artifact };
    });
    return { ...entry, images };
  });
}

/** The path as it is written, and as a browser reads it. */
function candidates(artifact: string, target: string): string[] {
  const bare = target.replace(/[?#].*$/u, '');
  return [target, bare, decoded(bare)].map((path) => besides(artifact, path));
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Within an archive, beside the member: its own folder ends at the archive. */
function besides(artifact: string, path: string): string {
  const at = artifact.lastIndexOf('//');
  if (at < 0) return posix.join(posix.dirname(artifact), path);
  const [archive, member] = [artifact.slice(0, at), artifact.slice(at + 2)];
  return `${archive}//${posix.join(posix.dirname(member), path)}`;
}
