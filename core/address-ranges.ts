/** A network and the length of its prefix in bits. */
export type AddressRange = readonly [network: string, prefixBits: number];

/** What the IANA registry of special-purpose IPv4 addresses does not call globally reachable, and multicast. */
export const SPECIAL_IPV4: readonly AddressRange[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
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
export const SPECIAL_IPV6: readonly AddressRange[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];
