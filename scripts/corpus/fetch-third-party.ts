import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { projectRoot } from '../../activities/sandbox/image-recipe';
import { command } from '../images/command';
import { type CorpusFile } from './listing';

/** A package whose test data belong to the corpus: fetched by its own client, checked, never committed. */
interface ThirdPartyPackage {
  readonly client: 'pip' | 'go';
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  /** sha256 of pip's source archive; Go's own sum of the module. */
  readonly digest: string;
}

interface ThirdPartyListing {
  readonly packages: readonly ThirdPartyPackage[];
  /** `<package folder>/<path in the package>`, with the file's sha256. */
  readonly files: readonly (CorpusFile & { readonly sha256: string })[];
}

export const THIRD_PARTY_LIST = join(projectRoot(), 'scripts', 'corpus', 'third-party.json');

/**
 * Makes sure that every listed file of others lies below `folder`, and returns it. Throws where a client, a package or
 * a file is not what the list says.
 */
export async function fetchThirdParty(folder: string): Promise<string> {
  const { packages, files } = JSON.parse(
    readFileSync(THIRD_PARTY_LIST, 'utf8'),
  ) as ThirdPartyListing;
  if (files.every(({ file, sha256 }) => hasDigest(join(folder, file), sha256))) return folder;
  const scratch = mkdtempSync(join(tmpdir(), 'third-party-'));
  try {
    for (const each of packages) {
      const source = await (each.client === 'pip' ? fetchByPip : fetchByGo)(each, scratch);
      const prefix = `${packageFolder(each)}/`;
      for (const { file, sha256 } of files.filter((one) => one.file.startsWith(prefix))) {
        const target = join(folder, file);
        mkdirSync(dirname(target), { recursive: true });
        copyFileSync(join(source, file.slice(prefix.length)), `${target}.part`);
        if (!hasDigest(`${target}.part`, sha256)) throw new Error(`${file} is not the listed file`);
        renameSync(`${target}.part`, target);
      }
    }
  } finally {
    // Go makes the folders of its cache read-only.
    await command('chmod', ['-R', 'u+w', scratch]);
    rmSync(scratch, { recursive: true, force: true });
  }
  return folder;
}

function packageFolder({ name, version }: Pick<ThirdPartyPackage, 'name' | 'version'>): string {
  return `${name.split('/').slice(0, 3).at(-1) ?? name}-${version.replace(/^v/u, '')}`;
}

function hasDigest(path: string, sha256: string): boolean {
  return (
    existsSync(path) && createHash('sha256').update(readFileSync(path)).digest('hex') === sha256
  );
}

/** The unpacked source archive. */
async function fetchByPip(
  { name, version, digest }: ThirdPartyPackage,
  scratch: string,
): Promise<string> {
  const folder = mkdtempSync(join(scratch, 'pip-'));
  const data = process.env['STARTUPBENCH_DATA'] ?? join(projectRoot(), '.startupbench');
  const python = join(data, 'venv', 'bin', 'python');
  await command(existsSync(python) ? python : 'python3', [
    ...['-m', 'pip', 'download', '--quiet', '--disable-pip-version-check', '--no-deps'],
    ...['--no-binary', ':all:', '--dest', folder, `${name}==${version}`],
  ]);
  const archive = readdirSync(folder)[0];
  if (archive === undefined || !hasDigest(join(folder, archive), digest))
    throw new Error(`the source archive of ${name} ${version} has another digest than the list's`);
  await command('tar', ['-xf', join(folder, archive), '-C', folder]);
  rmSync(join(folder, archive));
  return join(folder, readdirSync(folder)[0] ?? '');
}

/** The module's folder in a cache of our own. */
async function fetchByGo(
  { name, version, digest }: ThirdPartyPackage,
  scratch: string,
): Promise<string> {
  const answer = await command('go', ['mod', 'download', '-json', `${name}@${version}`], {
    workingFolder: scratch,
    environment: { GOMODCACHE: join(scratch, 'go'), GOFLAGS: '-mod=mod' },
  });
  const { Dir: folder, Sum: sum } = JSON.parse(answer) as { Dir: string; Sum: string };
  if (sum !== digest)
    throw new Error(`module ${name} ${version} has the sum ${sum}, not the list's`);
  return folder;
}
