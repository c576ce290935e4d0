import { BlockList, isIP } from 'node:net';
import { SPECIAL_IPV4, SPECIAL_IPV6 } from '../../core/address-ranges';

/** Prefixes whose last 32 bits are an IPv4 address that is really meant: mapped (RFC 4291), NAT64 (RFC 6052). */
const CARRIERS: readonly (readonly number[])[] = [
  [0, 0, 0, 0, 0, 0xffff],
  [0x64, 0xff9b, 0, 0, 0, 0],
];
/** Interface identifiers of ISATAP (RFC 5214), which carry an IPv4 address under any prefix. */
const ISATAP = [0x5efe, 0x0200_5efe];

/**
 * Tells addresses that no public provider has: loopback, private, link-local, shared, multicast, examples. Of IPv6
 * only global unicast is public (2000::/3), and IPv4 inside it only as the IPv4 address that it carries.
 */
export function createPrivateAddressTest(): (address: string) => boolean {
  const blocked = new BlockList();
  for (const [network, prefix] of SPECIAL_IPV4) blocked.addSubnet(network, prefix, 'ipv4');
  for (const [network, prefix] of SPECIAL_IPV6) blocked.addSubnet(network, prefix, 'ipv6');
  return (address) => {
    const version = isIP(address);
    // What is not an address was not resolved by us: refuse it. A zone makes an address one of this machine's links.
    if (version === 0 || address.includes('%')) return true;
    if (version === 4) return blocked.check(address, 'ipv4');
    const groups = groupsOf(address);
    const carried = carriedAddress(groups);
    if (carried !== undefined) return blocked.check(carried, 'ipv4');
    const isGlobalUnicast = ((groups[0] ?? 0) & 0xe000) === 0x2000;
    return !isGlobalUnicast || isIsatap(groups) || blocked.check(address, 'ipv6');
  };
}

/** The eight 16-bit groups of an IPv6 address in any spelling. */
function groupsOf(address: string): number[] {
  // The URL parser gives every address its one shortest spelling, without dots.
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const read = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [read(head), read(tail ?? '')];
  const zeros = tail === undefined ? 0 : 8 - first.length - last.length;
  return [...first, ...Array<number>(zeros).fill(0), ...last];
}

function carriedAddress(groups: readonly number[]): string | undefined {
  const carrier = CARRIERS.find((prefix) => prefix.every((group, at) => group === groups[at]));
  if (carrier === undefined) return undefined;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}

function isIsatap(groups: readonly number[]): boolean {
  return ISATAP.includes((groups[4] ?? 0) * 0x1_0000 + (groups[5] ?? 0));
}
