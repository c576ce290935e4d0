import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RENDER_LIMITS } from '../limits';
import { runProgram } from '../program';
import { Unreadable } from '../rendering';

const ADDRESS_SPACE = 800 * 1024 * 1024;

/** The first picture of a HEIC file as a PNG, by libheif, upright. Throws `Unreadable`. */
export async function heicPicture(sourcePath: string, scratch: string): Promise<Buffer> {
  refuseHuge(await readFile(sourcePath));
  const png = join(await mkdtemp(join(scratch, 'heic-')), 'picture.png');
  const end = await runProgram('prlimit', [
    `--as=${ADDRESS_SPACE}`,
    'heif-convert',
    sourcePath,
    png,
  ]);
  if (end.timedOut)
    throw new Unreadable('refused', 'decoding the picture was stopped at its time limit');
  const path = await firstThere([png, png.replace('.png', '-1.png')]);
  if (path === undefined) {
    const said = `${end.standardError}\n${end.standardOutput.toString('utf8')}`.trim();
    throw new Unreadable(
      'corrupt',
      `the picture cannot be decoded: ${said.replace(/\s+/gu, ' ').slice(0, 200)}`,
    );
  }
  return readFile(path);
}

/** A file of several pictures gives several files. */
async function firstThere(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    );
    if (size > 0) return path;
  }
  return undefined;
}

/** Every picture, tile and grid within states its size before any of it is decoded. */
function refuseHuge(bytes: Buffer): void {
  for (let at = bytes.indexOf('ispe'); at >= 0; at = bytes.indexOf('ispe', at + 4)) {
    if (at + 16 > bytes.length || bytes.readUInt32BE(at - 4) !== 20) continue;
    const pixels = bytes.readUInt32BE(at + 8) * bytes.readUInt32BE(at + 12);
    if (pixels > RENDER_LIMITS.imagePixels)
      throw new Unreadable('refused', `over ${RENDER_LIMITS.imagePixels} pixels`);
  }
}
