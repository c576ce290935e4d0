import { mkdir } from 'node:fs/promises';
import { Failure } from '../../core/failure';
import { type Renderer } from './port';
import { renderArtifact } from './render/render-artifact';
import { writeResult } from './render/write-result';
import { outputOf } from './renderer-output';

/** Recipe of what this process renders; apart from any container's, so that records never mix. */
export const IN_PROCESS_RECIPE = 'in-process-1';

/**
 * Renders plain text, Markdown and CSV in this process, for deliverables of our own simulated provider.
 * Anything that needs a program (PDF, page images, recalculation) is recorded as not rendered here.
 */
export function createInProcessRenderer(): Renderer {
  return {
    recipe: IN_PROCESS_RECIPE,
    isQuick: true,
    render: async ({ sourcePath, format, outDir, signal }) => {
      signal?.throwIfAborted();
      await mkdir(outDir, { recursive: true });
      await writeResult(await renderArtifact(sourcePath, format, undefined), sourcePath, outDir);
      const output = await outputOf(outDir);
      if (!output) throw new Failure('RenderUnavailable', `no record in ${outDir}`);
      return { ...output, rendererRecipe: IN_PROCESS_RECIPE };
    },
  };
}
