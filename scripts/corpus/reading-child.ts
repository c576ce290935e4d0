import { formatOfName } from '../../activities/evidence/artifact-format';
import { renderArtifact } from '../../activities/evidence/render/render-artifact';
import { type LocatedFile } from './listing';
import { faultsOf } from './markers';
import { type Outcome, disagreementsIn, statusOf } from './outcome';
import { readOfResult } from './read-file';

const NO_PAGES = 'page images need the renderer container';

/** Reads the files that its parent names, one after the other. A hang or a crash is the parent's to see. */
process.on('message', (file: LocatedFile) => {
  void read(file).then((outcome) => process.send?.(outcome));
});

async function read(file: LocatedFile): Promise<Outcome> {
  const started = performance.now();
  const result = await renderArtifact(file.path, formatOfName(file.file), undefined);
  const durationMs = performance.now() - started;
  const { rendering } = result;
  const reason = (result.reason ?? '').replace(NO_PAGES, '').replace(/^; |; $/gu, '');
  return {
    file: file.file,
    format: rendering.format,
    status:
      result.status === 'truncated' && reason === '' ? 'rendered' : statusOf(result.status, reason),
    reason,
    durationMs,
    peakBytes: process.resourceUsage().maxRSS * 1024,
    counts: rendering.counts,
    disagreements: disagreementsIn(rendering.warnings),
    faults:
      file.markers.length + Object.keys(file.counts ?? {}).length > 0
        ? await faultsOf(file, readOfResult(result))
        : [],
  };
}
