import type { IncomingMessage } from 'node:http';
import { BlockList, isIPv4, isIPv6, SocketAddress } from 'node:net';
import { z } from 'zod';
import { narrowInLive } from '../config/config.ts';

/** The proxies that may report a client's address. */
export type TrustedProxies = {
  /** False if nothing was configured: then it is unknown whether there is a proxy in front of us. */
  readonly areConfigured: boolean;
  /** @param address in canonical form */
  has(address: string): boolean;
};

type Request = Pick<IncomingMessage, 'headers' | 'socket'>;

/** A longer chain is not genuine: entries further left are ignored. */
const HOPS_MAX = 16;
/** "There are none", stated on purpose, which differs from not being configured. */
const NONE = 'none';

/** The widest network of proxies that LIVE takes at its word: a typing error, or the whole cluster, is wider. */
const WIDEST_PREFIX = { ipv4: 16, ipv6: 32 } as const;

/** Names a network that is so wide that it must be written twice, and is not: whoever has one of its addresses names any caller. */
function tooWide(text: string): string | undefined {
  const networks = text.split(',').map((network) => network.trim());
  const wide = networks.find((network) => {
    const [address = '', prefix] = network.split('/');
    const isWide = prefix !== undefined && Number(prefix) < WIDEST_PREFIX[isIPv4(address) ? 'ipv4' : 'ipv6'];
    return isWide && networks.filter((other) => other === network).length < 2;
  });
  if (wide === undefined) return undefined;
  return `${wide} would let all of its addresses name any caller; name the proxies, or write it twice to mean it,`;
}

/**
 * `TRUSTED_PROXIES`: addresses and networks (CIDR) of the proxies in front of a listener, comma-separated, each of
 * which appends the address that it saw to `X-Forwarded-For`; or `none`. LIVE takes a network wider than /16 (IPv6: /32) only if
 * it is written twice. decisions/listeners.
 */
const readProxies = z
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
export const trustedProxies = narrowInLive(readProxies, tooWide);

function addNetwork(list: BlockList, network: string): boolean {
  const [, text = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(network) ?? [];
  const address = canonicalAddress(text);
  const bits = isIPv4(text) ? 32 : 128;
  // A network of mapped addresses would be an IPv4 network with a differently counted prefix.
  if (address === undefined || isIPv4(address) !== isIPv4(text)) return false;
  if (Number(prefix ?? bits) > bits) return false;
  list.addSubnet(address, Number(prefix ?? bits), familyOf(address));
  return true;
}

/**
 * The address that a request comes from, as far as it can be trusted: the socket's or, if that is a trusted proxy, the
 * last address of `X-Forwarded-For` that is not one. Anything left of it was written by the sender and is never read.
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
 * What a limit counts a request by: its IPv4 address, or the /64 of its IPv6 address, because whoever has one address
 * of it has all. If no proxies are configured and the request says that it was forwarded, the last hop that it names is
 * part of the key: behind an unconfigured proxy, one stranger then cannot use up everybody's limit. A direct sender can
 * invent such names, so a limit that must hold against it needs `TRUSTED_PROXIES` (`none` is enough).
 */
export function limitedSource(req: Request, proxies: TrustedProxies): string {
  const source = networkOf(clientAddress(req, proxies));
  if (proxies.areConfigured) return source;
  const hop = canonicalAddress(withoutPort((forwardedFor(req).split(',').at(-1) ?? '').trim()));
  return hop === undefined ? source : `${networkOf(hop)} by ${source}`;
}

/** An IPv4 address unchanged, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - first.length - last.length }, () => '0');
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}

/**
 * One form per address: an IPv4 address on an IPv6 socket is converted, a zone is dropped. Undefined for other text.
 */
export function canonicalAddress(text: string): string | undefined {
  if (isIPv4(text)) return text;
  const [unzoned = ''] = text.split('%');
  if (!isIPv6(unzoned)) return undefined;
  const { address } = new SocketAddress({ address: unzoned, family: 'ipv6' });
  const mapped = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : '';
  return isIPv4(mapped) ? mapped : address;
}

/** The address at the other end of the connection; empty if it has already closed. */
function socketAddress({ socket }: Request): string {
  const { remoteAddress = '' } = socket;
  return canonicalAddress(remoteAddress) ?? remoteAddress;
}

/** Node joins repeated headers in order. */
function forwardedFor({ headers }: Request): string {
  const value = headers['x-forwarded-for'];
  return typeof value === 'string' ? value : '';
}

/** Some proxies write `192.0.2.1:80` and `[2001:db8::1]:443`. */
function withoutPort(text: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
