import { formatOfName } from '../../../activities/evidence/artifact-format';
import {
  renderArtifact,
  type ArtifactResult,
} from '../../../activities/evidence/render/render-artifact';
import { type LocatedFile } from '../../../scripts/corpus/listing';
import { type ReadFile } from '../../../scripts/corpus/markers';
import { evidenceOf } from '../../support/evidence';

/** Reads a file of the corpus in this process: no pages, no PDFs, no recalculation. */
export async function readInProcess(
  file: Pick<LocatedFile, 'path' | 'file'>,
): Promise<{ read: ReadFile; result: ArtifactResult }> {
  const result = await renderArtifact(file.path, formatOfName(file.file), undefined);
  const { rendering, status } = result;
  const { format, counts, facts, segments, workbook, warnings } = rendering;
  const evidence = evidenceOf({
    'results/x': {
      rendered: { format, status, counts, facts },
      segments,
      ...(workbook ? { workbook } : {}),
    },
  });
  return {
    result,
    read: {
      record: { counts, facts, warnings },
      segments,
      workbook,
      resolve: (locator) => evidence.resolve({ ...locator, artifact: 'results/x' }),
    },
  };
}
