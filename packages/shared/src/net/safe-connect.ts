import { Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { isOwnAddress } from './own-hosts.ts';
import { isPrivateAddress, isPublicAddress } from './public-address.ts';

/** A name or literal that resolves to an address that must not be called. No connection was made. */
export class AddressNotPublicError extends Error {
  override readonly name = 'AddressNotPublicError';
  readonly code = 'ADDRESS_NOT_PUBLIC';
}

/** The name has no address at the moment, or its name server did not answer in time. */
export class NameNotResolvedError extends Error {
  override readonly name = 'NameNotResolvedError';
  readonly code = 'NAME_NOT_RESOLVED';
}

export type AddressRules = {
  /** TEST only: this machine and private networks are allowed. */
  readonly allowPrivate: boolean;
  /**
   * Names and addresses of this very system, each with a port or without one for all: a callback to the public ones would
   * be a loop, and the others are nobody's business.
   */
  readonly ownHosts?: readonly string[];
  /** Addresses that count as public for a test. */
  readonly publicForTests?: readonly string[];
  /** DNS servers (`ip` or `ip:port`) instead of the system's; tests run their own. */
  readonly dnsServers?: readonly string[];
};

export type ResolvedAddress = { readonly address: string; readonly family: 4 | 6 };
/** Resolves a host to addresses that have all been checked. @throws AddressNotPublicError, NameNotResolvedError */
export type ResolvePublic = (hostname: string) => Promise<readonly ResolvedAddress[]>;

/** For one query to one server; two tries fit well within the ten seconds of an attempt. */
const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;

/**
 * Creates a resolver that refuses a host if *any* of its addresses is not public: an answer that mixes public and
 * private addresses is an attack, not a choice. Queries name servers directly (a slow one blocks no thread of the
 * pool).
 */
export function publicResolver(rules: AddressRules): ResolvePublic {
  const resolver = resolverOf(rules);
  return async (hostname) => {
    const addresses = await addressesOf(resolver, hostname);
    const isAllowed = (address: string) =>
      rules.ownHosts?.includes(address) !== true &&
      (isPublicAddress(address) || rules.publicForTests?.includes(address) === true || (rules.allowPrivate && isPrivateAddress(address)));
    if (!addresses.every(({ address }) => isAllowed(address))) {
      throw new AddressNotPublicError('the address is not public');
    }
    return addresses;
  };
}

/** A receiver may listen on either. */
const LOOPBACK: ResolvedAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

function resolverOf({ dnsServers }: AddressRules): Resolver {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  if (dnsServers !== undefined) resolver.setServers(dnsServers);
  return resolver;
}

async function addressesOf(resolver: Resolver, hostname: string): Promise<ResolvedAddress[]> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(literal);
  if (family !== 0) return [{ address: literal, family: family === 4 ? 4 : 6 }];
  // RFC 6761: this name never leaves the machine. Without `allowPrivate` the check above refuses it.
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return LOOPBACK;
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found: ResolvedAddress[] = [
    ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 as const })),
    ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 as const })),
  ];
  if (found.length > 0) return found;
  throw new NameNotResolvedError('the name has no address', {
    cause: four.status === 'rejected' ? four.reason : undefined,
  });
}

/** For the TCP and TLS handshakes; the whole attempt has its own deadline. */
const CONNECT_TIMEOUT_MS = 8_000;

/**
 * A connector for undici whose sockets connect only to checked addresses. The name is resolved once, and the socket
 * connects to exactly what was checked, so a name server that changes its answer a moment later has no effect. SNI,
 * certificate check and Host use the name. IP literals, for which node does no lookup, are checked here. A connection to
 * a private address that turns out to be a program of ours is closed before a byte is sent.
 */
export function safeConnector(rules: AddressRules): buildConnector.connector {
  const resolve = publicResolver(rules);
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        if (options.all === true) {
          callback(
            null,
            addresses.map(({ address, family }) => ({ address, family })),
          );
          return;
        }
        const [first] = addresses;
        callback(null, first?.address ?? '', first?.family ?? 4);
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new Error('lookup failed'), '', 4);
      },
    );
  };
  const connectTo = buildConnector({ lookup, allowH2: false, timeout: CONNECT_TIMEOUT_MS });
  const isOwn = ownCheck(rules);
  const connect: buildConnector.connector = (options, callback) => {
    connectTo(options, (...result) => {
      const [error, socket] = result;
      const { remoteAddress: address = '', remotePort: port = 0 } = socket ?? {};
      if (error !== null || !rules.allowPrivate || !isPrivateAddress(address)) {
        callback(...result);
        return;
      }
      void isOwn({ address, port }).then((own) => {
        if (!own) {
          callback(...result);
          return;
        }
        socket.destroy();
        callback(new AddressNotPublicError('the address is one of this system'), null);
      });
    });
  };
  return (options, callback) => {
    const literal = options.hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(literal) === 0) {
      connect(options, callback);
      return;
    }
    resolve(literal).then(
      () => {
        connect({ ...options, hostname: literal }, callback);
      },
      (error: unknown) => {
        callback(error instanceof Error ? error : new Error('lookup failed'), null);
      },
    );
  };
}

/** Whether an address is one of `ownHosts`. A name of ours that cannot be resolved now leads nowhere. */
function ownCheck(rules: AddressRules) {
  const resolver = resolverOf(rules);
  const resolve = async (hostname: string) => {
    const found = await addressesOf(resolver, hostname).catch(() => []);
    return found.map(({ address }) => address);
  };
  return (at: { readonly address: string; readonly port: number }) => isOwnAddress(rules.ownHosts ?? [], at, resolve);
}
