import { type ContainerCreateOptions } from 'dockerode';
import { randomUUID } from 'node:crypto';
import { RENDERER_KIND, STACK_LABEL, KIND_LABEL } from './docker';
import { type RenderJob } from './port';

const NOBODY = '65534:65534';
const MEMORY_BYTES = 1024 ** 3;
const TMP_BYTES = 384 * 1024 * 1024;
const PIDS = 128;
/** A renderer writes no larger file than this. */
const FILE_BYTES = 512 * 1024 * 1024;
const HEAP_MEGABYTES = 640;

/**
 * What holds a hostile file in: no network, nothing writable but /tmp and the out folder, no capability, no
 * way to gain one, nobody's user, limits on memory (swap included), processes and file size, and an end of
 * its own, so that a container whose worker died does not stay.
 */
export function rendererOptions(
  job: Pick<RenderJob, 'sourcePath' | 'format' | 'outDir'>,
  settings: { readonly imageTag: string; readonly stack: string; readonly innerTimeoutMs: number },
): ContainerCreateOptions {
  const seconds = String(Math.ceil(settings.innerTimeoutMs / 1000));
  return {
    name: `${settings.stack}-render-${randomUUID()}`,
    Image: settings.imageTag,
    Hostname: 'renderer',
    User: NOBODY,
    WorkingDir: '/tmp',
    // Its own exit code tells a time limit from a kill by others; nothing survives the container's first process.
    Entrypoint: ['timeout', '--kill-after=5', seconds],
    Cmd: [
      ...['node', `--max-old-space-size=${HEAP_MEGABYTES}`, '/opt/startupbench/renderer.js'],
      ...['/in/source', job.format, '/out'],
    ],
    Env: ['HOME=/tmp', 'TMPDIR=/tmp', 'TZ=UTC', 'LANG=C.UTF-8'],
    Labels: { [KIND_LABEL]: RENDERER_KIND, [STACK_LABEL]: settings.stack },
    NetworkDisabled: true,
    HostConfig: {
      NetworkMode: 'none',
      ReadonlyRootfs: true,
      CapDrop: ['ALL'],
      SecurityOpt: ['no-new-privileges'],
      PidsLimit: PIDS,
      Memory: MEMORY_BYTES,
      MemorySwap: MEMORY_BYTES,
      NanoCpus: 1e9,
      Ulimits: [
        { Name: 'fsize', Soft: FILE_BYTES, Hard: FILE_BYTES },
        { Name: 'core', Soft: 0, Hard: 0 },
      ],
      Tmpfs: { '/tmp': `rw,noexec,nosuid,nodev,mode=1777,size=${TMP_BYTES}` },
      IpcMode: 'private',
      Init: true,
      AutoRemove: false,
      RestartPolicy: { Name: 'no' },
      LogConfig: { Type: 'json-file', Config: { 'max-size': '64k', 'max-file': '1' } },
      Mounts: [
        { Type: 'bind', Source: job.sourcePath, Target: '/in/source', ReadOnly: true },
        { Type: 'bind', Source: job.outDir, Target: '/out', ReadOnly: false },
      ],
    },
  };
}
