import { BlockList, isIP } from 'node:net';

const BLOCKED_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
];
const BLOCKED_IPV6: readonly (readonly [string, number])[] = [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b:1::', 48],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
];

/** Tells addresses that no public provider has: loopback, private, link-local, shared, multicast. */
export function createPrivateAddressTest(): (address: string) => boolean {
  const blocked = new BlockList();
  // IPv4 ranges also match their IPv6-mapped forms (::ffff:10.0.0.1).
  for (const [network, prefix] of BLOCKED_IPV4) blocked.addSubnet(network, prefix, 'ipv4');
  for (const [network, prefix] of BLOCKED_IPV6) blocked.addSubnet(network, prefix, 'ipv6');
  return (address) => {
    const version = isIP(address);
    // What is not an address was not resolved by us: refuse it.
    if (version === 0) return true;
    return blocked.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}
