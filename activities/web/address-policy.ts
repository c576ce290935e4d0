import { BlockList, isIP } from 'node:net';

/**
 * IPv4 that is no public host: this network, private, shared (where some clouds keep metadata), loopback, link-local,
 * protocol assignments, documentation, 6to4 relays, benchmarks, multicast, reserved; and one cloud's public-looking
 * host address.
 */
const FORBIDDEN_V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/** Within 2000::/3, all that is global: Teredo and other protocols, documentation, 6to4. */
const FORBIDDEN_V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const forbidden = new BlockList();
for (const [net, bits] of FORBIDDEN_V4) forbidden.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of FORBIDDEN_V6) forbidden.addSubnet(net, bits, 'ipv6');
const global = new BlockList();
global.addSubnet('2000::', 3, 'ipv6');

/**
 * True for addresses of the public internet. Mapped, compatible and NAT64 forms of IPv4, loopback, link-local and
 * unique local addresses lie outside of IPv6's global range, and are refused with all else that does.
 */
export function isPublicAddress(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !forbidden.check(address, 'ipv4');
    case 6:
      return global.check(address, 'ipv6') && !forbidden.check(address, 'ipv6');
    default:
      return false;
  }
}
