/** A network and the length of its prefix in bits. */
type AddressRange = readonly [network: string, prefixBits: number];

/**
 * What the IANA registry of special-purpose IPv4 addresses does not call globally reachable, and multicast; and one
 * cloud's host address, which looks public.
 */
const SPECIAL_IPV4: readonly AddressRange[] = [
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

/** Parts of 2000::/3 that no public host has: protocol assignments with Teredo and benchmarks, examples, 6to4. */
const SPECIAL_IPV6: readonly AddressRange[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];
/** What global unicast IPv6 addresses are in. */
const GLOBAL_IPV6: AddressRange = ['2000::', 3];
/** Translators of IPv6-only networks (NAT64, RFC 6052): the last 32 bits are the IPv4 address that is really meant. */
const TRANSLATED: AddressRange = ['64:ff9b::', 96];
/** Interface identifiers of ISATAP (RFC 5214), which carry an IPv4 address under any prefix. */
const ISATAP = [0x5efe, 0x0200_5efe];

/**
 * Whether a text is an address of the public internet: the one test for providers and for pages. Loopback, private,
 * link-local, shared and multicast addresses are not, nor examples, nor any other form of an IPv4 address than its own
 * and that of a NAT64 translator, which is as public as what it carries. Of IPv6 only global unicast is. What is no
 * address was not resolved by us, and a zone makes an address one of this machine's links: neither is public.
 */
export function isPublicAddress(address: string): boolean {
  const four = ipv4Groups(address);
  if (four !== undefined) return !isWithinAny(four, SPECIAL_IPV4);
  const six = ipv6Groups(address);
  if (six === undefined) return false;
  if (isWithin(six, TRANSLATED)) return !isWithinAny(six.slice(6), SPECIAL_IPV4);
  return isWithin(six, GLOBAL_IPV6) && !isIsatap(six) && !isWithinAny(six, SPECIAL_IPV6);
}

/** 16-bit groups of an IPv4 address in its only right spelling. */
function ipv4Groups(text: string): readonly number[] | undefined {
  const bytes = /^(?:(?:0|[1-9]\d{0,2})(?:\.(?!$)|$)){4}$/u.test(text) ? text.split('.') : [];
  const [a = 256, b = 256, c = 256, d = 256] = bytes.map(Number);
  return Math.max(a, b, c, d) > 255 ? undefined : [a * 256 + b, c * 256 + d];
}

/** The eight 16-bit groups of an IPv6 address in any spelling. */
function ipv6Groups(text: string): readonly number[] | undefined {
  if (!/^[\da-f:]+(?:\d+(?:\.\d+){3})?$/iu.test(text)) return undefined;
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const [head = [], tail] = halves.map((half, at) => groupsOf(half, at === halves.length - 1));
  if (tail === undefined) return head.length === 8 && head.every(isGroup) ? head : undefined;
  const zeros = 8 - head.length - tail.length;
  const groups = [...head, ...Array<number>(Math.max(0, zeros)).fill(0), ...tail];
  return zeros > 0 && groups.every(isGroup) ? groups : undefined;
}

/** Groups of one half; the last one may end in an IPv4 address. -1 stands for what is none. */
function groupsOf(half: string, isLast: boolean): readonly number[] {
  if (half === '') return [];
  return half.split(':').flatMap((part, at, parts) => {
    if (/^[\da-f]{1,4}$/iu.test(part)) return [Number.parseInt(part, 16)];
    return (isLast && at === parts.length - 1 ? ipv4Groups(part) : undefined) ?? [-1];
  });
}

function isGroup(value: number): boolean {
  return value >= 0;
}

function isWithinAny(groups: readonly number[], ranges: readonly AddressRange[]): boolean {
  return ranges.some((range) => isWithin(groups, range));
}

function isWithin(groups: readonly number[], [network, prefixBits]: AddressRange): boolean {
  const start = ipv4Groups(network) ?? ipv6Groups(network) ?? [];
  return start.every((group, at) => {
    const bits = Math.min(16, Math.max(0, prefixBits - at * 16));
    return ((group ^ (groups[at] ?? 0)) & (0xffff << (16 - bits)) & 0xffff) === 0;
  });
}

function isIsatap(groups: readonly number[]): boolean {
  return ISATAP.includes((groups[4] ?? 0) * 0x1_0000 + (groups[5] ?? 0));
}
