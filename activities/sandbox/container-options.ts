import { type ContainerCreateOptions } from 'dockerode';
import { join } from 'node:path';
import { INSIDE, type AttemptPaths } from './attempt-paths';
import { HOST_NAME } from './sandbox-user';
import { type SandboxLabels, type SandboxSpecification } from './port';

const LABEL_PREFIX = 'startupbench.';
const TMPFS_SHARE_OF_MEMORY = 4;
/** What it takes to run others as the agent's user, with no capability and none to be had, and to end them. */
const SUPERVISOR_CAPABILITIES = ['KILL', 'SETGID', 'SETPCAP', 'SETUID'];

/** The container's labels: whose it is, for reapers and people. */
export function labelsOf(labels: SandboxLabels): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ ...labels, kind: 'sandbox' }).map(([name, value]) => [
      LABEL_PREFIX + name,
      String(value),
    ]),
  );
}

/** What {@link labelsOf} wrote; `undefined` when these are not a sandbox's labels. */
export function readLabels(labels: Readonly<Record<string, string>>): SandboxLabels | undefined {
  const read = (name: string) => labels[LABEL_PREFIX + name];
  const [stack, hostId, runKey, runId] = [
    read('stack'),
    read('hostId'),
    read('runKey'),
    read('runId'),
  ];
  const [generation, attempt] = [Number(read('generation')), Number(read('attempt'))];
  if (read('kind') !== 'sandbox' || !stack || !hostId || !runKey || !runId) return undefined;
  if (!Number.isInteger(generation) || !Number.isInteger(attempt)) return undefined;
  return {
    stack,
    hostId,
    runKey,
    runId,
    generation,
    attempt,
    workflowId: read('workflowId') ?? '',
  };
}

/** Filter of the containers of one stack on one host. */
export function ownLabels(stack: string, hostId: string): string[] {
  return [
    `${LABEL_PREFIX}kind=sandbox`,
    `${LABEL_PREFIX}stack=${stack}`,
    `${LABEL_PREFIX}hostId=${hostId}`,
  ];
}

/**
 * Everything that holds an agent in: no network, nothing writable but workspace, HOME and a bounded /tmp, no capability,
 * no way to gain one, limits on memory (swap included), processors, processes and files. The supervisor, and it alone, is
 * root: its orders name the user that the agent becomes.
 */
export function containerOptions(
  specification: SandboxSpecification,
  paths: AttemptPaths,
): ContainerCreateOptions {
  const { limits } = specification;
  const tmpfsBytes = Math.floor(limits.memoryBytes / TMPFS_SHARE_OF_MEMORY);
  return {
    name: specification.attemptId,
    Image: specification.image,
    Hostname: HOST_NAME,
    User: '0:0',
    // The workspace is closed to a root without capabilities; the supervisor's children go there.
    WorkingDir: '/',
    Entrypoint: ['/usr/bin/python3', '-I', '-S', INSIDE.supervisor],
    Cmd: [],
    Env: [`HOME=${INSIDE.home}`, 'USER=agent', 'LANG=C.UTF-8', 'PYTHONDONTWRITEBYTECODE=1'],
    Labels: labelsOf(specification.labels),
    NetworkDisabled: true,
    OpenStdin: false,
    Tty: false,
    StopSignal: 'SIGTERM',
    HostConfig: {
      NetworkMode: 'none',
      ReadonlyRootfs: true,
      Privileged: false,
      CapDrop: ['ALL'],
      CapAdd: SUPERVISOR_CAPABILITIES,
      SecurityOpt: ['no-new-privileges'],
      PidsLimit: limits.pids,
      Memory: limits.memoryBytes,
      MemorySwap: limits.memoryBytes,
      NanoCpus: Math.round(limits.cpus * 1e9),
      Ulimits: [
        { Name: 'fsize', Soft: limits.fileBytes, Hard: limits.fileBytes },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      Tmpfs: {
        '/tmp': `rw,exec,nosuid,nodev,mode=1777,size=${tmpfsBytes}`,
        [INSIDE.closed]: 'rw,noexec,nosuid,nodev,mode=0700,size=64k',
      },
      // The supervisor is the sandbox's name server, which refuses every name and notes it.
      Sysctls: { 'net.ipv4.ip_unprivileged_port_start': '53' },
      IpcMode: 'private',
      RestartPolicy: { Name: 'no' },
      AutoRemove: false,
      // The supervisor is PID 1 and reaps: an agent cannot kill it, as it could kill the child of another init.
      Init: false,
      LogConfig: { Type: 'json-file', Config: { 'max-size': '256k', 'max-file': '1' } },
      Mounts: [
        bind(paths.workspace, INSIDE.workspace, false),
        bind(paths.home, INSIDE.home, false),
        // The folder and not the socket: a mounted socket dies with the gateway that made it.
        bind(paths.run, INSIDE.run, true),
        bind(paths.supervisor, INSIDE.supervisorFolder, false),
        ...['passwd', 'group', 'hosts', 'resolv.conf'].map((name) =>
          bind(join(paths.etc, name), `/etc/${name}`, true),
        ),
      ],
    },
  };
}

function bind(source: string, target: string, readOnly: boolean) {
  return { Type: 'bind' as const, Source: source, Target: target, ReadOnly: readOnly };
}
