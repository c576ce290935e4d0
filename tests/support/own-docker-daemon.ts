import Docker from 'dockerode';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { type ImageName, imageTag } from '../../activities/sandbox/image-recipe';
import { REAL_DISK } from './real-disk';
import { waitUntil } from './wait-until';

const PREFIX = 'startupbench-dockerd-';
/** For what hangs, not for what is slow. */
const STARTED_WITHIN_MS = 180_000;
const run = promisify(execFile);

/** Most of an image, and nothing that a sandbox or a renderer of plain text needs. */
const LEFT_OUT = [
  'usr/lib/libreoffice',
  'usr/share/fonts',
  'usr/share/doc',
  'usr/share/locale',
  'usr/share/man',
  'usr/share/poppler',
  'usr/local/lib/python3.11',
  'usr/lib/python3/dist-packages',
  'var/lib/dpkg',
];

/**
 * A Docker daemon of the test's own: socket, data root, exec root and pid file in one folder on a real disk,
 * no network (sandboxes have none). It may be killed at will; the user's daemon is only asked for images.
 */
export class OwnDockerDaemon {
  readonly host: string;
  readonly docker: Docker;
  private child: ChildProcess | undefined;

  private constructor(
    readonly root: string,
    private liveRestore: boolean,
  ) {
    this.host = `unix://${join(root, 'docker.sock')}`;
    this.docker = new Docker({ socketPath: join(root, 'docker.sock') });
  }

  /**
   * Also removes what daemons of tests that were killed have left.
   *
   * @param liveRestore whether containers outlive a killed daemon
   */
  static async start(liveRestore: boolean): Promise<OwnDockerDaemon> {
    await removeForgottenDaemons();
    const root = await mkdtemp(join(REAL_DISK, `${PREFIX}${process.pid}-`));
    const daemon = new OwnDockerDaemon(root, liveRestore);
    try {
      await daemon.restart();
      return daemon;
    } catch (error) {
      await daemon.stop();
      throw error;
    }
  }

  /** Copies an image, without the large parts that these tests do not use, from the user's daemon. */
  async importImage(name: ImageName): Promise<string> {
    const tag = imageTag(name);
    const exclude = LEFT_OUT.map((path) => `--exclude=./${path}`);
    const pack = [
      ...['docker', 'run', '--rm', '--network=none', '--label=startupbench.kind=test'],
      ...['--entrypoint=tar', tag, '-C', '/', '-c', '--one-file-system', ...exclude, '.'],
    ];
    const changes = [
      '--change=ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8',
      '--change=WORKDIR /tmp',
    ];
    const unpack = ['docker', `--host=${this.host}`, 'import', ...changes, '-', tag];
    await run('bash', [
      ...['-c', 'set -o pipefail; "${@:2:$1}" | "${@:2+$1}"', 'import'],
      ...[String(pack.length), ...pack, ...unpack],
    ]);
    return tag;
  }

  /** SIGKILL; its containerd dies with it, containers do not. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Ends it and starts it again, with its images. */
  async changeTo(liveRestore: boolean): Promise<void> {
    await this.end('SIGTERM');
    this.liveRestore = liveRestore;
    await this.restart();
  }

  /** Starts it where it does not run, and waits until it answers. */
  async restart(): Promise<void> {
    if (this.child !== undefined) return;
    await waitUntil(() => pidsWith(this.root, /^(dockerd|containerd)$/u).length === 0);
    // A killed daemon leaves these, and the next one would take a stranger's number for its predecessor's.
    for (const file of ['docker.pid', 'exec/containerd/containerd.pid'])
      await rm(join(this.root, file), { force: true });
    const log = openSync(join(this.root, 'dockerd.log'), 'a');
    // In a network of its own: a daemon told to have no bridge deletes the host's docker0.
    this.child = spawn(
      'unshare',
      ['--net', 'dockerd', ...daemonArguments(this.root, this.liveRestore)],
      {
        stdio: ['ignore', log, log],
      },
    );
    closeSync(log);
    const child = this.child;
    await waitUntil(async () => {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`dockerd ended: ${(await this.log()).slice(-2000)}`);
      return this.docker.ping().then(
        () => true,
        () => false,
      );
    }, STARTED_WITHIN_MS);
  }

  /** Removes containers, daemon, mounts and folder; throws when anything is left. */
  async stop(): Promise<void> {
    try {
      await this.restart();
      const containers = await this.docker.listContainers({ all: true });
      for (const { Id } of containers)
        await this.docker.getContainer(Id).remove({ force: true, v: true });
      await this.end('SIGTERM');
    } finally {
      await this.end('SIGKILL');
      await removeDaemonFolder(this.root);
    }
  }

  private async log(): Promise<string> {
    return readFile(join(this.root, 'dockerd.log'), 'utf8');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.child;
    if (child === undefined) return;
    this.child = undefined;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await gone;
  }
}

function daemonArguments(root: string, liveRestore: boolean): string[] {
  return [
    `--host=unix://${join(root, 'docker.sock')}`,
    `--data-root=${join(root, 'data')}`,
    `--exec-root=${join(root, 'exec')}`,
    `--pidfile=${join(root, 'docker.pid')}`,
    // Nothing of the host's network is touched.
    ...['--bridge=none', '--iptables=false', '--ip-forward=false', '--ip-masq=false'],
    ...['--log-level=warn', `--live-restore=${String(liveRestore)}`],
  ];
}

/** Folders of daemons whose test process is gone. */
async function removeForgottenDaemons(): Promise<void> {
  for (const name of readdirSync(REAL_DISK).filter((entry) => entry.startsWith(PREFIX))) {
    const owner = Number(name.slice(PREFIX.length).split('-')[0]);
    if (!existsSync(`/proc/${owner}`)) await removeDaemonFolder(join(REAL_DISK, name));
  }
}

/** Ends what still runs for the daemon of this folder, unmounts and removes it. */
async function removeDaemonFolder(root: string): Promise<void> {
  // Each of them has a path below the folder among its arguments; a shim's containers end with it.
  for (const pid of pidsWith(root)) killTree(pid);
  await waitUntil(() => pidsWith(root).length === 0);
  for (const mount of mountsBelow(root).reverse()) await run('umount', ['-l', mount]);
  await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  const left = [...mountsBelow(root), ...(existsSync(root) ? [root] : [])];
  if (left.length > 0) throw new Error(`left behind by ${basename(root)}: ${left.join(', ')}`);
}

function killTree(pid: number): void {
  for (const child of childrenOf(pid)) killTree(child);
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(pid: number): number[] {
  const text = readOrEmpty(`/proc/${pid}/task/${pid}/children`);
  return text.split(' ').filter(Boolean).map(Number);
}

/** Docker's own processes that have this text among their arguments; a zombie has no arguments. */
function pidsWith(text: string, program = /^(dockerd|containerd)/u): number[] {
  return readdirSync('/proc')
    .filter((name) => program.test(readOrEmpty(`/proc/${name}/comm`).trim()))
    .filter((name) => readOrEmpty(`/proc/${name}/cmdline`).includes(text))
    .map(Number);
}

function mountsBelow(root: string): string[] {
  return readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${root}/`));
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
