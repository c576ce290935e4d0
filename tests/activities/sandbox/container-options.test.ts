import { type ContainerInspectInfo } from 'dockerode';
import { attemptPaths } from '../../../activities/sandbox/attempt-paths';
import {
  containerOptions,
  labelsOf,
  readLabels,
} from '../../../activities/sandbox/container-options';
import { differencesFromAsked } from '../../../activities/sandbox/inspect-comparison';
import { attemptIdOf, type SandboxSpecification } from '../../../activities/sandbox/port';
import { sandboxUser } from '../../../activities/sandbox/sandbox-user';
import { DEFAULT_LIMITS } from '../../../core/limits';

const labels = {
  stack: 'stack',
  hostId: 'host',
  runKey: 'a'.repeat(64),
  runId: 'model@harness/task/r1',
  generation: 2,
  attempt: 3,
  workflowId: 'sweep/s/model@harness/task/r1',
};
const specification: SandboxSpecification = {
  attemptId: attemptIdOf(labels),
  attemptDir: '/data/sandboxes/x',
  labels,
  image: 'startupbench/agent:1',
  command: ['run', 'secret-argument'],
  environment: { SECRET: 'secret-value' },
  limits: DEFAULT_LIMITS,
};
const options = containerOptions(specification, attemptPaths('/data/sandboxes/x'));

/** A daemon that did exactly as it was told. */
function obedient(): { [Key in keyof ContainerInspectInfo]?: unknown } {
  return {
    Config: { User: options.User },
    NetworkSettings: { Networks: { none: {} } },
    HostConfig: { ...options.HostConfig, Devices: null },
    Mounts: options.HostConfig!.Mounts!.map(({ Source, Target, ReadOnly }) => ({
      Source,
      Destination: Target,
      RW: ReadOnly !== true,
    })),
  };
}
const compare = (found: object) => differencesFromAsked(options, found as ContainerInspectInfo);

describe('what a container is asked to be', () => {
  it('names the attempt, and says nothing of the command, its environment or its input', () => {
    expect(options.name).toBe(`stack-${'a'.repeat(16)}-g2-a3`);
    expect(JSON.stringify(options)).not.toContain('secret');
  });

  it('keeps labels that can be read back; other labels are no sandbox’s', () => {
    expect(readLabels(labelsOf(labels))).toEqual(labels);
    const { 'startupbench.kind': _kind, ...others } = labelsOf(labels);
    expect(readLabels(others)).toBeUndefined();
    expect(readLabels({ ...labelsOf(labels), 'startupbench.attempt': 'x' })).toBeUndefined();
    expect(readLabels({})).toBeUndefined();
  });

  it('gives each attempt a user of its own where root can, else the worker’s', () => {
    const root = { uid: 0, gid: 0 };
    const [one, two] = ['one', 'two'].map((id) => sandboxUser(id, root));
    expect(one).toEqual(sandboxUser('one', root));
    expect(one!.uid).not.toBe(two!.uid);
    expect(one!.uid).toBeGreaterThanOrEqual(200_000);
    expect(sandboxUser('one', { uid: 1000, gid: 100 })).toEqual({ uid: 1000, gid: 100 });
  });
});

describe('what the daemon made of it', () => {
  it('is accepted when it is what was asked', () => {
    expect(compare(obedient())).toEqual([]);
  });

  it('is accepted from a daemon that writes capabilities its own way', () => {
    const found = obedient();
    const host = found.HostConfig as { CapAdd: string[] };
    const CapAdd = [...host.CapAdd].reverse().map((name) => `CAP_${name}`);
    expect(compare({ ...found, HostConfig: { ...host, CapAdd } })).toEqual([]);
  });

  it.each([
    ['NetworkMode', 'bridge', 'network'],
    ['ReadonlyRootfs', false, 'read-only root'],
    ['Privileged', true, 'privileged'],
    ['CapDrop', null, 'dropped capabilities'],
    ['CapAdd', ['SYS_ADMIN'], 'added capabilities'],
    ['SecurityOpt', null, 'security options'],
    ['PidsLimit', null, 'processes'],
    ['Memory', 0, 'memory'],
    ['MemorySwap', -1, 'memory with swap'],
    ['NanoCpus', 0, 'processors'],
    ['Ulimits', null, 'limits'],
    ['Tmpfs', null, 'temporary folders'],
    ['Devices', [{ PathOnHost: '/dev/sda' }], 'devices'],
  ])('is refused when it ignores %s', (name, value, says) => {
    const found = obedient();
    const differences = compare({
      ...found,
      HostConfig: { ...(found.HostConfig as object), [name]: value },
    });
    expect(differences).toEqual([
      expect.stringMatching(new RegExp(`^${says}: asked .*, has `, 'u')),
    ]);
  });

  it('is refused with another user, network or mount', () => {
    const found = obedient();
    const mounts = found.Mounts as { RW: boolean }[];
    expect(compare({ ...found, Config: { User: '' } })).toHaveLength(1);
    expect(
      compare({ ...found, NetworkSettings: { Networks: { none: {}, bridge: {} } } }),
    ).toHaveLength(1);
    expect(
      compare({ ...found, Mounts: [...mounts, { Source: '/', Destination: '/host', RW: true }] }),
    ).toHaveLength(1);
    expect(
      compare({ ...found, Mounts: mounts.map((mount) => ({ ...mount, RW: true })) }),
    ).toHaveLength(1);
  });
});
