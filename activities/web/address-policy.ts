import { BlockList, isIP } from 'node:net';
import { type AddressRange, SPECIAL_IPV4, SPECIAL_IPV6 } from '../../core/address-ranges';

/** One cloud's host address; it looks public. */
const CLOUD_HOST: AddressRange = ['168.63.129.16', 32];

const forbidden = new BlockList();
for (const [net, bits] of [...SPECIAL_IPV4, CLOUD_HOST]) forbidden.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of SPECIAL_IPV6) forbidden.addSubnet(net, bits, 'ipv6');
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
