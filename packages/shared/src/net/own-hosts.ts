import { isIP } from 'node:net';
import { isLoopback } from './public-address.ts';

/** A name or address of this system, with a port, or without one for all of them: an entry of `OWN_HOSTS`. */
type OwnHost = { readonly host: string; readonly port: number | undefined };

function readOwnHost(entry: string): OwnHost {
  if (isIP(entry) !== 0) return { host: entry, port: undefined };
  const [, host = entry, port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? [];
  return { host: withoutBrackets(host), port: port === undefined ? undefined : Number(port) };
}

const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1');

/** Whatever leads to this machine: a program that listens on one of its loopback addresses mostly listens on all. */
const isThisMachine = (host: string) => host === 'localhost' || host.endsWith('.localhost') || isLoopback(host);

/** Whether two hosts are written the same, or are both this machine. */
const isSame = (own: string, host: string) => own === host || (isThisMachine(own) && isThisMachine(host));

/** Whether this host and port are named in `ownHosts`. */
export function isOwnName(ownHosts: readonly string[], hostname: string, port: number): boolean {
  const host = withoutBrackets(hostname.toLowerCase());
  return ownHosts.map(readOwnHost).some((own) => (own.port ?? port) === port && isSame(own.host, host));
}

/**
 * Whether this address and port are this system's, by whatever name they were found. `resolve` gives a name's addresses, none if
 * it has none.
 */
export async function isOwnAddress(
  ownHosts: readonly string[],
  { address, port }: { readonly address: string; readonly port: number },
  resolve: (hostname: string) => Promise<readonly string[]>,
): Promise<boolean> {
  const atPort = ownHosts.map(readOwnHost).filter((own) => (own.port ?? port) === port);
  if (atPort.some(({ host }) => isSame(host, address))) return true;
  const names = new Set(atPort.flatMap(({ host }) => (isIP(host) === 0 ? [host] : [])));
  const found = await Promise.all([...names].map((name) => resolve(name)));
  return found.flat().includes(address);
}
