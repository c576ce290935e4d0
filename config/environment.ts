import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Failure } from '../core/failure';
import { refuseCopy } from './data-place';
import { durationSchema } from './units';
import { makeFolder } from './make-folder';

type Environment = Readonly<Record<string, string | undefined>>;

/** All that the environment decides, read once. Folders are absolute. */
export interface Settings {
  /** STARTUPBENCH_DATA; default: `.startupbench` in the current folder where it is, else in the checkout. Mode 0700. */
  readonly dataDir: string;
  /** STARTUPBENCH_STORE: `file:DIR` or `s3://bucket/prefix`; default `file:<data>/store`. */
  readonly store: string;
  /** STARTUPBENCH_PROVIDERS; default `<data>/providers.yaml`. */
  readonly providersFile: string;
  /** The checkout: its `tasks/`, `recordings/` and `sweeps/`. */
  readonly projectDir: string;
  /** STARTUPBENCH_RECORDINGS; default `<project>/recordings`. */
  readonly recordingsDir: string;
  /** STARTUPBENCH_STACK; default made once and kept in `<data>/stack-id`. */
  readonly stackId: string;
  /** STARTUPBENCH_HOST; default made once and kept in `<data>/host-id`. */
  readonly hostId: string;
  /** TEMPORAL_ADDRESS; undefined = the local server that `up` starts. */
  readonly temporalAddress: string | undefined;
  /** TEMPORAL_NAMESPACE; undefined = the stack's default. */
  readonly temporalNamespace: string | undefined;
  /** DOCKER_HOST; undefined = the daemon's default socket. */
  readonly dockerHost: string | undefined;
  /**
   * STARTUPBENCH_REAP_AFTER, like `90s`: for how long a worker sees an attempt dead (its clean-up was cut off, or its
   * run is closed) before it removes container and folder; default one minute.
   */
  readonly reapAfterMs: number;
  /** What `openStore` reads: endpoint, region and keys. Never logged. */
  readonly storeEnvironment: Environment;
}

const DATA_FOLDER = '.startupbench';
/** Also the first part of container names, hence the first character. */
const SHORT_ID = /^[a-z0-9][a-z0-9._-]{0,39}$/u;
const STORE_VARIABLES = [
  'STARTUPBENCH_S3_ENDPOINT',
  'AWS_REGION',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
] as const;

/**
 * Reads the environment and makes the data folder with its ids where they are missing.
 * Throws `Failure` with every problem, one a line.
 */
export function readSettings(
  env: Environment = process.env,
  workingDirectory: string = process.cwd(),
): Settings {
  return settingsFrom(env, workingDirectory, true);
}

/** For commands that only look: the same, but makes nothing; ids that are not kept yet are those of nobody. */
export function lookAtSettings(
  env: Environment = process.env,
  workingDirectory: string = process.cwd(),
): Settings {
  return settingsFrom(env, workingDirectory, false);
}

function settingsFrom(env: Environment, workingDirectory: string, make: boolean): Settings {
  const get = (name: string): string | undefined => (env[name] === '' ? undefined : env[name]);
  const problems: string[] = [];
  const dataDir = resolve(
    workingDirectory,
    get('STARTUPBENCH_DATA') ?? defaultData(workingDirectory),
  );
  if (make) {
    makeDataFolder(dataDir);
    refuseCopy(dataDir, true);
  }
  const id = (variable: string, file: string, prefix: string): string => {
    const given = get(variable);
    const value = given ?? keptId(join(dataDir, file), prefix, make);
    if (!SHORT_ID.test(value))
      problems.push(
        `${given === undefined ? join(dataDir, file) : variable} is ${JSON.stringify(value)}: use 1 to 40 of a-z, 0-9, ` +
          'dot, dash and underscore, the first a letter or digit',
      );
    return value;
  };
  const store = get('STARTUPBENCH_STORE') ?? `file:${join(dataDir, 'store')}`;
  if (!/^(?:file:.|s3:\/\/[^/])/u.test(store))
    problems.push(
      `STARTUPBENCH_STORE is ${JSON.stringify(store)}: write file:DIR or s3://bucket/prefix`,
    );
  const temporalAddress = get('TEMPORAL_ADDRESS');
  if (temporalAddress !== undefined && !/^[^\s/]+:\d+$/u.test(temporalAddress))
    problems.push(
      `TEMPORAL_ADDRESS is ${JSON.stringify(temporalAddress)}: write host:port, without a scheme`,
    );
  const reapAfter = durationSchema.safeParse(get('STARTUPBENCH_REAP_AFTER') ?? '60s');
  if (!reapAfter.success)
    problems.push(`STARTUPBENCH_REAP_AFTER: ${reapAfter.error.issues[0]?.message ?? 'write 60s'}`);
  const settings: Settings = {
    dataDir,
    store: absoluteStore(store, workingDirectory),
    providersFile: resolve(
      workingDirectory,
      get('STARTUPBENCH_PROVIDERS') ?? join(dataDir, 'providers.yaml'),
    ),
    projectDir: projectFolder(),
    recordingsDir: resolve(
      workingDirectory,
      get('STARTUPBENCH_RECORDINGS') ?? join(projectFolder(), 'recordings'),
    ),
    stackId: id('STARTUPBENCH_STACK', 'stack-id', 's-'),
    hostId: id('STARTUPBENCH_HOST', 'host-id', 'h-'),
    temporalAddress,
    temporalNamespace: get('TEMPORAL_NAMESPACE'),
    dockerHost: get('DOCKER_HOST'),
    reapAfterMs: reapAfter.data ?? 0,
    storeEnvironment: Object.fromEntries(STORE_VARIABLES.map((name) => [name, get(name)])),
  };
  if (problems.length > 0) throw new Failure('InvalidInput', problems.join('\n'));
  return settings;
}

/** From any other folder the checkout's own one, so that a command typed elsewhere finds what is there. */
function defaultData(workingDirectory: string): string {
  const here = join(workingDirectory, DATA_FOLDER);
  return existsSync(here) ? here : join(projectFolder(), DATA_FOLDER);
}

function makeDataFolder(folder: string): void {
  try {
    makeFolder(folder);
  } catch (error) {
    throw new Failure(
      'ConfigMissing',
      `the data folder: ${(error as Error).message}; or set STARTUPBENCH_DATA`,
      { cause: error },
    );
  }
}

/** Two processes that start at once agree: the first to link its id wins. */
function keptId(path: string, prefix: string, make: boolean): string {
  const read = (): string | undefined => {
    try {
      return readFileSync(path, 'utf8').trim();
    } catch {
      return undefined;
    }
  };
  const known = read();
  if (known !== undefined) return known;
  const made = `${prefix}${randomBytes(4).toString('hex')}`;
  if (!make) return made;
  const temporary = `${path}.${made}`;
  writeFileSync(temporary, `${made}\n`, { mode: 0o600 });
  try {
    linkSync(temporary, path);
    return made;
  } catch (error) {
    const winner = read();
    if (winner === undefined) throw error;
    return winner;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function absoluteStore(store: string, workingDirectory: string): string {
  return store.startsWith('file:')
    ? `file:${resolve(workingDirectory, store.slice('file:'.length).replace(/^\/\/(?=\/)/u, ''))}`
    : store;
}

/** The project's root, from the sources as well as from `dist/`. */
function projectFolder(): string {
  const parent = resolve(__dirname, '..');
  return parent.endsWith('dist') ? resolve(parent, '..') : parent;
}
