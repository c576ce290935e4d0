import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Failure } from '../../core/failure';
import { type FileReference } from '../../core/task';
import { type HarnessPlan } from '../harness/port';
import { agentPrompt, WEB_PROGRAM } from '../harness/prompt';
import { readParsed } from '../parse-attachments';
import { mapConcurrently } from '../read-json';
import {
  giveTo,
  isMounted,
  prepareDisk,
  type AttemptDiskOptions,
  type DiskKind,
} from '../sandbox/attempt-disk';
import { INSIDE, OWN_FOLDER } from '../sandbox/attempt-paths';
import { readJson } from '../sandbox/attempt-state';
import { replaceFile } from '../sandbox/durable-file';
import { sandboxUser, type SandboxUser } from '../sandbox/sandbox-user';
import { type ObjectStore } from '../store/port';
import { type AttemptContext } from './attempt-context';
import { webProgram } from '../web-identity';
import { writeGatewayOrders, writeWebOrders } from './gateway-orders';

export interface PrepareDeps {
  readonly store: ObjectStore;
  readonly disk?: AttemptDiskOptions;
}

/** `control/prepared.json`, written last: the attempt may be executed. */
export interface PreparedAttempt {
  readonly disk: DiskKind;
  /** What was put into the workspace, digests checked while it was written. */
  readonly inputs: readonly FileReference[];
  /** What the sandbox has to run; absent for harnesses without one. */
  readonly plan?: Omit<HarnessPlan, 'homeFiles' | 'standardInput'> & {
    readonly standardInput: boolean;
  };
}

const STANDARD_INPUT = `${OWN_FOLDER}/standard-input`;
export const TOKEN_FILE = `${OWN_FOLDER}/token`;
/** What harnesses call the model; neutral, since harnesses have rules for well-known names. */
const MODEL_ALIAS = 'bench-model';
const DOWNLOADS_AT_ONCE = 8;

export async function readPrepared(context: AttemptContext): Promise<PreparedAttempt | undefined> {
  return readJson(join(context.paths.control, 'prepared.json'));
}

/** Inside path of the file that becomes the harness's standard input. */
export function standardInputOf(prepared: PreparedAttempt): string | undefined {
  return prepared.plan?.standardInput === true ? `${INSIDE.home}/${STANDARD_INPUT}` : undefined;
}

/**
 * Fills an attempt's folder: the task's files, an empty `results/`, the harness's own files and the gateway's orders.
 * Idempotent: what is prepared stays, what was begun is begun again.
 */
export async function prepareWorkspace(context: AttemptContext, deps: PrepareDeps): Promise<void> {
  const { paths, harness, task, plan } = context;
  const known = await readPrepared(context);
  // A mount does not survive a restart of the host; what was on it is worth nothing before the start.
  if (known !== undefined && (known.disk === 'watched' || (await isMounted(paths.disk)))) return;
  const user = harness.needsSandbox ? sandboxUser(context.attemptId) : ownUser();
  await mkdir(paths.control, { recursive: true, mode: 0o700 });
  const disk = await prepareDisk(
    paths,
    plan.limits.workspaceBytes,
    user,
    harness.needsSandbox ? deps.disk : { mayMount: false },
  );
  await Promise.all([paths.workspace, paths.home].map(emptyFolder));
  const inputs = [...task.files, ...(await parsedFiles(context, deps.store))];
  await mapConcurrently(inputs, DOWNLOADS_AT_ONCE, async (file) => {
    const target = await makePlaceFor(paths.workspace, file.path, user);
    await deps.store.getBlobToFile('open', file.sha256, target);
    await chmod(target, 0o644);
    await giveTo(target, user);
  });
  await makePlaceFor(paths.workspace, 'results/any', user);
  await mkdir(paths.run, { recursive: true });
  const token = randomBytes(24).toString('base64url');
  const prepared = await writeHome(context, user, token);
  await writeGatewayOrders(context, token);
  await writeWebOrders(context);
  const record: PreparedAttempt = { disk, inputs, ...prepared };
  await replaceFile(join(paths.control, 'prepared.json'), JSON.stringify(record));
}

/** The text of the attachments, where the sweep has them parsed. */
async function parsedFiles(
  { task, plan, harness }: AttemptContext,
  store: ObjectStore,
): Promise<readonly FileReference[]> {
  if (plan.parser === undefined || !harness.needsSandbox) return [];
  const parsed = await readParsed(store, task, plan.parser);
  if (parsed === undefined)
    throw new Failure(
      'InvalidInput',
      `the attachments of task ${task.id} are not parsed in ${store.description}: run the sweep again`,
    );
  return parsed.files;
}

async function writeHome(
  context: AttemptContext,
  user: SandboxUser,
  token: string,
): Promise<Pick<PreparedAttempt, 'plan'>> {
  const { harness, lane, plan, paths, task } = context;
  const { web } = task.grants;
  const made = harness.plan?.({
    harness: lane.harness,
    limits: plan.limits,
    prompt: agentPrompt({ parsed: plan.parser !== undefined, web }),
    modelAlias: MODEL_ALIAS,
    token,
  });
  const files: Record<string, string> = { ...made?.homeFiles, [TOKEN_FILE]: token };
  if (made?.standardInput !== undefined) files[STANDARD_INPUT] = made.standardInput;
  if (web.length > 0) files[WEB_PROGRAM] = webProgram();
  for (const [path, content] of Object.entries(files)) {
    const target = await makePlaceFor(paths.home, path, user);
    await writeFile(target, content, { mode: 0o600 });
    await giveTo(target, user);
  }
  if (made === undefined) return {};
  const { image, command, environment, standardInput } = made;
  return { plan: { image, command, environment, standardInput: standardInput !== undefined } };
}

/** Makes the folders above `path`, each the sandbox user's; throws where `path` leads out of `root`. */
async function makePlaceFor(root: string, path: string, user: SandboxUser): Promise<string> {
  const parts = path.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..'))
    throw new Failure('InvalidInput', `${JSON.stringify(path)} is no path below the workspace`);
  let folder = root;
  for (const part of parts.slice(0, -1)) {
    folder = join(folder, part);
    await mkdir(folder, { recursive: true, mode: 0o755 });
    await giveTo(folder, user);
  }
  return join(dirname(join(root, path)), parts.at(-1) ?? '');
}

async function emptyFolder(folder: string): Promise<void> {
  for (const name of await readdir(folder))
    await rm(join(folder, name), { recursive: true, force: true });
}

function ownUser(): SandboxUser {
  return { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}
