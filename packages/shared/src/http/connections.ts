import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { canonicalAddress, networkOf, type TrustedProxies } from '../net/client-address.ts';

type Options = {
  /** Maximum number of sockets. */
  readonly max: number;
  readonly proxies: TrustedProxies | undefined;
  /** How long an idle connection is kept, in milliseconds. */
  readonly keepAliveMs: number;
};

export type Connections = {
  /**
   * Starts a request once the earlier ones on its connection are answered, so that a client that pipelines many gets no
   * more work done than others. Never starts if the connection ends first.
   */
  startInOrder(socket: Socket, res: ServerResponse, begin: () => void): void;
};

/** The share of all sockets that one address may have; a trusted proxy may have all. */
const ADDRESS_SHARE = 0.5;
/** Above this share of the maximum, an idle connection is kept only briefly. */
const NEARLY_FULL = 0.8;
const KEEP_ALIVE_NEARLY_FULL_MS = 5_000;

/** All sockets of one address, with the idle ones in the order in which they became idle. */
type Source = { count: number; readonly isProxy: boolean; readonly idle: Set<Socket> };

const sourceOf = new WeakMap<Socket, Source>();

/**
 * Marks a socket that is being slowed down: it counts as idle from now on, and is closed first when a place is needed.
 */
export function letGoFirst(socket: Socket): void {
  sourceOf.get(socket)?.idle.add(socket);
}

/**
 * Prevents one address from taking all sockets of a listener (decisions/listeners). If an address has its share, or all
 * are taken, the new connection replaces an idle one: of the same address, else of the address with the most. The new
 * one is refused only if all of those are busy.
 */
export function boundConnections(server: Server, { max, proxies, keepAliveMs }: Options): Connections {
  const sources = new Map<string, Source>();
  const addressMax = Math.floor(max * ADDRESS_SHARE);
  let all = 0;

  function open(socket: Socket): void {
    const { remoteAddress = '' } = socket;
    const address = canonicalAddress(remoteAddress) ?? remoteAddress;
    const name = networkOf(address);
    const source = sources.get(name) ?? { count: 0, isProxy: proxies?.has(address) === true, idle: new Set() };
    if (!makeRoom(source)) {
      socket.destroy();
      return;
    }
    sources.set(name, source);
    sourceOf.set(socket, source);
    source.idle.add(socket);
    count(source, 1);
    socket.once('close', () => {
      source.idle.delete(socket);
      if (sourceOf.delete(socket)) count(source, -1);
      if (source.count === 0) sources.delete(name);
    });
  }

  function count(source: Source, change: 1 | -1): void {
    source.count += change;
    all += change;
    server.keepAliveTimeout = all > max * NEARLY_FULL ? KEEP_ALIVE_NEARLY_FULL_MS : keepAliveMs;
  }

  function makeRoom(source: Source): boolean {
    if (!source.isProxy && source.count >= addressMax) return shed(source);
    return all < max || shed(largestOf(sources.values()));
  }

  function shed(source: Source | undefined): boolean {
    const [victim] = source?.idle ?? [];
    if (source === undefined || victim === undefined) return false;
    source.idle.delete(victim);
    // Its place is free from now on, not only once the system has closed it.
    if (sourceOf.delete(victim)) count(source, -1);
    victim.destroy();
    return true;
  }

  /** The latest unanswered request of each connection. */
  const last = new WeakMap<Socket, ServerResponse>();

  function work(socket: Socket, res: ServerResponse, begin: () => void): void {
    const source = sourceOf.get(socket);
    source?.idle.delete(socket);
    res.once('close', () => {
      if (last.get(socket) === res) last.delete(socket);
      if (sourceOf.has(socket) && !socket.destroyed) source?.idle.add(socket);
    });
    begin();
  }

  server.on('connection', open);
  return {
    startInOrder(socket, res, begin) {
      const before = last.get(socket);
      last.set(socket, res);
      if (before === undefined) work(socket, res, begin);
      else
        before.once('close', () => {
          if (socket.writable) work(socket, res, begin);
        });
    },
  };
}

/** The source with the most connections among those with an idle one; strangers' addresses before proxies'. */
function largestOf(sources: Iterable<Source>): Source | undefined {
  let found: Source | undefined;
  for (const source of sources) {
    const isMore = found === undefined || (found.isProxy === source.isProxy ? source.count > found.count : found.isProxy);
    if (isMore && source.idle.size > 0) found = source;
  }
  return found;
}
