import { isIP } from 'node:net';
import { isPublicAddress } from '../core/public-address';

/**
 * The host of `baseUrl` where it can be told without asking a name server that it is on this machine or in a private
 * network: calls to it are refused unless the account has `allowPrivateAddresses`.
 */
export function privateHostOf(baseUrl: string): string | undefined {
  if (!URL.canParse(baseUrl)) return undefined;
  const { hostname } = new URL(baseUrl);
  const host = hostname.replace(/^\[|\]$/gu, '');
  if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : host;
  return /^(?:.+\.)?localhost\.?$/u.test(host) ? host : undefined;
}
