import { type ContainerCreateOptions, type ContainerInspectInfo } from 'dockerode';

/**
 * What the daemon made of our wishes, compared wish by wish: a daemon or a runtime that ignores one (no kernel
 * support, an old version) must not run agents. Returns one sentence for each difference.
 */
export function differencesFromAsked(
  asked: ContainerCreateOptions,
  found: ContainerInspectInfo,
): string[] {
  const wanted = asked.HostConfig ?? {};
  const host = found.HostConfig;
  const pairs: [name: string, wanted: unknown, found: unknown][] = [
    ['user', asked.User, found.Config.User],
    ['network', wanted.NetworkMode, host.NetworkMode],
    ['networks', [], Object.keys(found.NetworkSettings.Networks).filter((name) => name !== 'none')],
    ['read-only root', wanted.ReadonlyRootfs, host.ReadonlyRootfs],
    ['privileged', false, host.Privileged ?? false],
    ['dropped capabilities', capabilities(wanted.CapDrop), capabilities(host.CapDrop)],
    ['added capabilities', capabilities(wanted.CapAdd), capabilities(host.CapAdd)],
    ['security options', wanted.SecurityOpt, host.SecurityOpt],
    ['processes', wanted.PidsLimit, host.PidsLimit],
    ['memory', wanted.Memory, host.Memory],
    ['memory with swap', wanted.MemorySwap, host.MemorySwap],
    ['processors', wanted.NanoCpus, host.NanoCpus],
    ['limits', sorted(wanted.Ulimits), sorted(host.Ulimits)],
    ['temporary folders', sortedMembers(wanted.Tmpfs), sortedMembers(host.Tmpfs)],
    ['kernel parameters', sortedMembers(wanted.Sysctls), sortedMembers(host.Sysctls)],
    ['devices', [], host.Devices ?? []],
    [
      'mounts',
      sorted(wanted.Mounts?.map((mount) => [mount.Source, mount.Target, mount.ReadOnly !== true])),
      sorted(found.Mounts.map((mount) => [mount.Source, mount.Destination, mount.RW])),
    ],
  ];
  return pairs
    .map(([name, want, have]) => [name, JSON.stringify(want), JSON.stringify(have)] as const)
    .filter(([, want, have]) => want !== have)
    .map(([name, want, have]) => `${name}: asked ${want}, has ${have}`);
}

/** Some daemons put the prefix before the names that they are given. */
function capabilities(names: unknown): string[] {
  return ((names ?? []) as string[]).map((name) => name.replace(/^CAP_/u, '')).sort();
}

function sorted(values: readonly unknown[] | undefined): string[] {
  return (values ?? []).map((value) => JSON.stringify(sortedMembers(value))).sort();
}

function sortedMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}
