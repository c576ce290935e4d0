import { formatOfName } from '../../../activities/evidence/artifact-format';
import {
  renderArtifact,
  type ArtifactResult,
} from '../../../activities/evidence/render/render-artifact';
import { type LocatedFile } from '../../../scripts/corpus/listing';
import { type ReadFile } from '../../../scripts/corpus/markers';
import { readOfResult } from '../../../scripts/corpus/read-file';

/** Reads a file of the corpus in this process: no pages, no PDFs, no recalculation. */
export async function readInProcess(
  file: Pick<LocatedFile, 'path' | 'file'>,
): Promise<{ read: ReadFile; result: ArtifactResult }> {
  const result = await renderArtifact(file.path, formatOfName(file.file), undefined);
  return { result, read: readOfResult(result) };
}
