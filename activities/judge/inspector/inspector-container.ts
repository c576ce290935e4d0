import type Docker from 'dockerode';
import { parentArtifact } from '../../../core/locator';
import { type EvidenceReader } from '../../evidence/port';
import { dockerFailure, execInContainer } from './container-exec';

const HELPER = ['python3', '-I', '/opt/startupbench/inspector.py'];
/** Owner of the evidence and of process 1; never a session's own uid. */
const KEEPER = '65534:65534';
const IDLE_SECONDS = 600;
const LOAD_TIMEOUT_MS = 120_000;
const MEBIBYTE = 1024 ** 2;
const PROGRAM_MEMORY_BYTES = 1024 * MEBIBYTE;
const TEMPORARY_BYTES = 256 * MEBIBYTE;

export interface ContainerSettings {
  readonly docker: Docker;
  /** Tag of the inspector image. */
  readonly image: string;
  /** Whose it is, beside `startupbench.kind=inspector`: `startupbench.stack` and the host. */
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * A container with the evidence at /evidence: no network, no capabilities, read-only root, memory, processes and
 * files bounded. It ends by itself once nothing has run in it for ten minutes, so a killed worker leaves none.
 */
export async function startInspectorContainer(
  settings: ContainerSettings,
  evidence: EvidenceReader,
  uid: number,
): Promise<Docker.Container> {
  const files = await originals(evidence);
  const evidenceBytes = files.reduce((sum, file) => sum + file.content.byteLength, 0);
  let container: Docker.Container;
  try {
    container = await settings.docker.createContainer(
      containerOptions(settings, evidenceBytes + files.length * 4096, uid),
    );
    await container.start();
  } catch (error) {
    throw dockerFailure(error);
  }
  const header = {
    files: files.map(({ path, content }) => ({ path, bytes: content.byteLength })),
  };
  const answer = await execInContainer(container, {
    command: [...HELPER, 'load'],
    user: KEEPER,
    input: [Buffer.from(`${JSON.stringify(header)}\n`), ...files.map(({ content }) => content)],
    timeoutMs: LOAD_TIMEOUT_MS,
  });
  if (!answer.standardOutput.includes('"loaded"')) {
    await removeContainer(container);
    throw dockerFailure(new Error(`evidence could not be put there: ${answer.standardError}`));
  }
  return container;
}

/** Runs a mode of the helper and returns its last line. */
export async function askHelper(
  container: Docker.Container,
  mode: 'run' | 'deliver',
  header: object,
  content: Uint8Array,
  options: { readonly uid: number; readonly timeoutMs: number },
) {
  return execInContainer(container, {
    command: [...HELPER, mode],
    user: `${options.uid}:${options.uid}`,
    input: [Buffer.from(`${JSON.stringify(header)}\n`), content],
    timeoutMs: options.timeoutMs,
  });
}

export async function removeContainer(container: Docker.Container): Promise<void> {
  // It removes itself on its end; gone already is what we want.
  await container.remove({ force: true }).catch(() => undefined);
}

function filesOf({ view }: EvidenceReader): EvidenceReader['view']['entries'] {
  return view.entries.filter(({ artifact }) => parentArtifact(artifact) === undefined);
}

async function originals(
  evidence: EvidenceReader,
): Promise<readonly { readonly path: string; readonly content: Uint8Array }[]> {
  return Promise.all(
    // What was unpacked from an archive has no path beside it; programs open the archive itself.
    filesOf(evidence).map(async ({ artifact }) => ({
      path: artifact,
      content: await evidence.original(artifact),
    })),
  );
}

function containerOptions(
  settings: ContainerSettings,
  evidenceBytes: number,
  uid: number,
): Docker.ContainerCreateOptions {
  const pages = Math.ceil(evidenceBytes / MEBIBYTE) + 1;
  const memory = PROGRAM_MEMORY_BYTES + TEMPORARY_BYTES + 2 * pages * MEBIBYTE;
  return {
    Image: settings.image,
    Cmd: [...HELPER, 'hold', String(IDLE_SECONDS)],
    User: KEEPER,
    WorkingDir: '/tmp',
    NetworkDisabled: true,
    Labels: { 'startupbench.kind': 'inspector', ...settings.labels },
    HostConfig: {
      AutoRemove: true,
      NetworkMode: 'none',
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      Memory: memory,
      MemorySwap: memory,
      NanoCpus: 1_000_000_000,
      PidsLimit: 128,
      Ulimits: [{ Name: 'nofile', Soft: 1024, Hard: 1024 }],
      LogConfig: { Type: 'none', Config: {} },
      Tmpfs: {
        '/tmp': `rw,nosuid,nodev,noexec,mode=1777,size=${TEMPORARY_BYTES}`,
        '/evidence': `rw,nosuid,nodev,noexec,mode=0755,uid=65534,gid=65534,size=${pages}m`,
        '/workspace': `rw,nosuid,nodev,noexec,mode=0755,uid=${uid},gid=${uid},size=${pages + 256}m`,
      },
    },
  };
}
