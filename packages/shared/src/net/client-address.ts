import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net';
import { z } from 'zod';

/** Whose word about a client's address is taken. */
export type TrustedProxies = {
  /** False where nothing was configured: then nobody knows whether a proxy stands before us. */
  readonly areConfigured: boolean;
  /** @param address in its canonical spelling */
  has(address: string): boolean;
};

type Request = Pick<IncomingMessage, 'headers' | 'socket'>;

/** A chain that is longer is nobody's: what stands further left is not looked at. */
const HOPS_MAX = 16;
/** "There are none": said on purpose, which is not the same as not said. */
const NONE = 'none';

/**
 * `TRUSTED_PROXIES`: addresses and networks (CIDR) of the proxies before a listener, separated by commas, each of which adds
 * the address that it saw to the end of `X-Forwarded-For`; or `none`. ADR 0075.
 */
export const trustedProxies = z
  .string()
  .optional()
  .transform((text, ctx): TrustedProxies => {
    const list = new BlockList();
    const networks = text === undefined || text === NONE ? [] : text.split(',').map((network) => network.trim());
    for (const network of networks) {
      if (addNetwork(list, network)) continue;
      ctx.addIssue({ code: 'custom', message: 'must be addresses and networks (10.0.0.0/8, 2001:db8::1), or none' });
      return z.NEVER;
    }
    return { areConfigured: text !== undefined, has: (address) => list.check(address, familyOf(address)) };
  });

function addNetwork(list: BlockList, network: string): boolean {
  const [, text = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(network) ?? [];
  const address = canonicalAddress(text);
  const bits = isIPv4(text) ? 32 : 128;
  // A network of mapped addresses would be an IPv4 network with a prefix that counts another way.
  if (address === undefined || isIPv4(address) !== isIPv4(text)) return false;
  if (Number(prefix ?? bits) > bits) return false;
  list.addSubnet(address, Number(prefix ?? bits), familyOf(address));
  return true;
}

/**
 * The address that a request comes from, as far as it can be believed: the socket's; where that is a trusted proxy, the last
 * address of `X-Forwarded-For` that is not one. What stands left of it is the sender's own text and is never read.
 */
export function clientAddress(req: Request, proxies: TrustedProxies): string {
  let address = socketAddress(req);
  const chain = forwardedFor(req);
  let end = chain.length;
  for (let hop = 0; hop < HOPS_MAX && end > 0 && proxies.has(address); hop += 1) {
    const comma = chain.lastIndexOf(',', end - 1);
    const before = canonicalAddress(withoutPort(chain.slice(comma + 1, end).trim()));
    if (before === undefined) break;
    address = before;
    end = Math.max(comma, 0);
  }
  return address;
}

/**
 * What a limit counts a request by: its IPv4 address, or the /64 of its IPv6 address, of which whoever has one has all.
 * Where no proxies were configured and the request says that it was forwarded, the last hop that it names belongs to the
 * name: behind a proxy that nobody configured, one stranger then does not use up what all others have. A sender that reaches
 * us directly can make such names up, so a limit that must hold against it needs `TRUSTED_PROXIES` (`none` will do).
 */
export function limitedSource(req: Request, proxies: TrustedProxies): string {
  const source = networkOf(clientAddress(req, proxies));
  if (proxies.areConfigured) return source;
  const hop = canonicalAddress(withoutPort((forwardedFor(req).split(',').at(-1) ?? '').trim()));
  return hop === undefined ? source : `${networkOf(hop)} by ${source}`;
}

/** An IPv4 address as it is, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - first.length - last.length }, () => '0');
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}

/** One spelling an address: an IPv4 address over an IPv6 socket is that address, a zone is dropped. Undefined for other text. */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  const [unzoned = ''] = text.split('%');
  if (!isIPv6(unzoned)) return undefined;
  const { address } = new SocketAddress({ address: unzoned, family: 'ipv6' });
  const mapped = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : '';
  return isIPv4(mapped) ? mapped : address;
}

/** The address at the other end of the connection; empty when it is gone already. */
function socketAddress({ socket }: Request): string {
  const { remoteAddress = '' } = socket;
  return canonicalAddress(remoteAddress) ?? remoteAddress;
}

/** Node joins repeated headers in their order. */
function forwardedFor({ headers }: Request): string {
  const value = headers['x-forwarded-for'];
  return typeof value === 'string' ? value : '';
}

/** `192.0.2.1:80` and `[2001:db8::1]:443` are what some proxies write. */
function withoutPort(text: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
