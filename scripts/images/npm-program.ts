import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { command } from './command';

/** docker/<image>/node.json, docker/<image>/program.json */
interface ProgramPin {
  readonly version: string;
  /** The program's path in the package. @default 'bin/node' */
  readonly file?: string;
  readonly packages: Readonly<
    Record<string, { readonly name: string; readonly integrity: string }>
  >;
}

/**
 * Puts a pinned program for `architecture` at `target`. It comes out of an npm package, so that npm's own configuration decides where from; the archive is kept in `cacheFolder` and checked against the pin.
 * Throws when the architecture has no pin or the archive differs from it.
 */
export async function extractNpmProgram(
  pinFile: string,
  target: string,
  { architecture, cacheFolder }: { architecture: string; cacheFolder: string },
): Promise<void> {
  const {
    version,
    packages,
    file = 'bin/node',
  } = JSON.parse(readFileSync(pinFile, 'utf8')) as ProgramPin;
  const pin = packages[architecture];
  if (!pin) throw new Error(`${pinFile} pins no program for ${architecture}`);

  const archive = join(cacheFolder, `${packedName(pin.name)}-${version}.tgz`);
  if (!existsSync(archive) || integrityOf(archive) !== pin.integrity) {
    await download(`${pin.name}@${version}`, archive, cacheFolder);
  }
  if (integrityOf(archive) !== pin.integrity) {
    rmSync(archive);
    throw new Error(`${pin.name}@${version} is not the archive that ${pinFile} pins`);
  }
  const unpacked = `${target}.unpacked`;
  mkdirSync(unpacked, { recursive: true });
  await command('tar', ['-xzf', archive, '-C', unpacked, `package/${file}`]);
  renameSync(join(unpacked, 'package', file), target);
  rmSync(unpacked, { recursive: true });
}

/** How npm names the archive of a package. */
function packedName(name: string): string {
  return name.replace(/^@/u, '').replaceAll('/', '-');
}

async function download(specifier: string, archive: string, cacheFolder: string): Promise<void> {
  mkdirSync(cacheFolder, { recursive: true });
  await command('npm', ['pack', specifier, '--silent', '--pack-destination', cacheFolder]);
  if (!existsSync(archive)) throw new Error(`npm pack ${specifier} did not write ${archive}`);
}

function integrityOf(file: string): string {
  return `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`;
}
