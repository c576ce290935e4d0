import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { ARTIFACT_FORMATS, type ArtifactFormat } from '../../core/evidence-view';
import { createOfficeTools } from './render/office';
import { renderArtifact } from './render/render-artifact';
import { writeResult } from './render/write-result';

/** Runs inside the renderer container: `node renderer.js <source> <format> <outDir>`. Exit code 0 whatever the file is. */
async function main(args: readonly string[]): Promise<void> {
  const [sourcePath, format, outDir] = args;
  if (sourcePath === undefined || outDir === undefined || !isFormat(format))
    throw new Error(`usage: renderer.js SOURCE ${ARTIFACT_FORMATS.join('|')} OUT_FOLDER`);
  const scratchRoot = process.env['TMPDIR'] ?? '/tmp';
  await mkdir(scratchRoot, { recursive: true });
  const scratch = await mkdtemp(join(scratchRoot, 'render-'));
  const tools = { scratch, office: createOfficeTools(__dirname, scratch) };
  const write = (result: Parameters<typeof writeResult>[0]): Promise<void> =>
    writeResult(result, sourcePath, outDir);
  await write(await renderArtifact(sourcePath, format, tools, write));
}

function isFormat(text: string | undefined): text is ArtifactFormat {
  return ARTIFACT_FORMATS.some((format) => format === text);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  process.exitCode = 1;
});
