import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Server as TcpServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { TrustedProxies } from '../net/client-address.ts';
import { ANSWER_HEADERS } from './answer-headers.ts';
import { boundConnections } from './connections.ts';

const DRAINING = 'draining';
/** Responses whose listener drains: they may begin to go on only afterwards. */
const drainingResponses = new WeakSet<ServerResponse>();

/**
 * Calls `end` when the listener of a response drains, at once if it drains already: a response that goes on ends itself.
 * Returns what takes that back.
 */
export function whenDraining(res: ServerResponse, end: () => void): () => void {
  if (drainingResponses.has(res)) end();
  else res.once(DRAINING, end);
  return () => {
    res.off(DRAINING, end);
  };
}

export type Listener = {
  readonly port: number;
  /**
   * Stops accepting, lets running requests finish for at most `graceMs`, then aborts the rest. A kept-alive connection is
   * closed by the answer to its next request, or idle when no more requests come (decisions/rolling-updates).
   */
  drain(graceMs: number): Promise<void>;
};

/** A client has ten seconds for its headers and fifteen for the whole request: bodies are at most 64 KiB. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
/** Longer than the gateway's pool keeps an idle connection, so that the server never closes one during a request. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
/** A draining listener closes idle connections when none had a request for so long: one may be on its way. */
export const QUIET_MS = 500;
/** Connections that are used each get an answer that closes them; there may be many. */
export const QUIET_WITHIN_MS = 2_000;
/**
 * A client that takes nothing more of its response for so long has gone, or means harm: its connection is cut
 * (decisions/listeners).
 */
const STALLED_MS = 30_000;
const HEADER_BYTES_MAX = 16 * 1024;
/** Sockets of one listener: beyond that, new ones replace idle ones. */
const CONNECTIONS_MAX = 5_000;
/** Time for a refused client to read the reason and close the connection. */
const FAREWELL_MS = 2_000;

/** Input that was refused before it was a request: it has no known route or partner. */
export type Unreadable = {
  /** Also returned to the sender. */
  readonly requestId: string;
  readonly status: number;
  /** Node's error code, for example HPE_INVALID_METHOD. */
  readonly cause: string;
  readonly address: string;
};

type Options = {
  /** For tests that should not wait so long. */
  readonly headersTimeoutMs?: number;
  readonly checkEveryMs?: number;
  readonly stalledMs?: number;
  /** Our own proxies: their addresses may have any number of connections. */
  readonly proxies?: TrustedProxies | undefined;
  /** Called for input that is not HTTP, too large or too slow: no application sees it. */
  readonly onUnreadable?: (unreadable: Unreadable) => void;
};

/** Serves HTTP with the limits that every listener of this system has. */
export async function listen(app: RequestListener, host: string, port: number, options: Options = {}): Promise<Listener> {
  const running = new Set<ServerResponse>();
  let draining = false;
  let requestedAt = 0;
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: options.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: options.checkEveryMs ?? 1_000,
      insecureHTTPParser: false,
      requireHostHeader: true,
    },
    (req, res) => {
      connections.startInOrder(req.socket, res, () => {
        running.add(res);
        cutWhenStalled(res, options.stalledMs ?? STALLED_MS);
        res.once('close', () => running.delete(res));
        requestedAt = performance.now();
        if (draining) {
          res.setHeader('Connection', 'close');
          drainingResponses.add(res);
        }
        app(req, res);
      });
    },
  );
  const connections = boundConnections(server, {
    max: CONNECTIONS_MAX,
    proxies: options.proxies,
    keepAliveMs: KEEP_ALIVE_TIMEOUT_MS,
  });
  // Node answers 417 without asking us, which no client of ours knows. What is expected may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (req, res) => server.emit('request', req, res));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const unreadable = refuseUnreadable(error, socket);
    if (unreadable !== undefined) options.onUnreadable?.(unreadable);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return {
    port: addressOf(server).port,
    async drain(graceMs) {
      draining = true;
      for (const res of running) {
        if (res.headersSent) endConnectionAfter(res);
        else res.setHeader('Connection', 'close');
        drainingResponses.add(res);
        res.emit(DRAINING);
      }
      await close(server, graceMs, () => requestedAt);
    },
  };
}

/** Node calls it when nothing has come or gone for so long, also of what is still to be sent. */
function cutWhenStalled(res: ServerResponse, stalledMs: number): void {
  res.setTimeout(stalledMs, () => {
    const { socket } = res.req;
    // Where nothing waits to be sent, whoever makes the response has a deadline of its own.
    if (socket.writableLength > 0) socket.destroy();
    else socket.setTimeout(stalledMs);
  });
}

/** For a response that has not told its client to hang up: a kept-alive connection would stay open behind it. */
function endConnectionAfter(res: ServerResponse): void {
  res.once('finish', () => {
    res.req.socket.end();
  });
}

/** Closes a server once its running requests have ended, and after `graceMs` in any case. */
async function close(server: Server, graceMs: number, requestedAt: () => number): Promise<void> {
  const isOver = new AbortController();
  const closed = new Promise<void>((resolve) => {
    // That of the HTTP server would also close idle connections, and with them the requests that were just sent on them.
    TcpServer.prototype.close.call(server, () => {
      isOver.abort();
      resolve();
    });
  });
  const cut = setTimeout(() => {
    server.closeAllConnections();
  }, graceMs);
  await untilQuiet(requestedAt, isOver.signal);
  server.closeIdleConnections();
  await closed;
  clearTimeout(cut);
}

/** Waits until there was no request for a while, no longer than `QUIET_WITHIN_MS`, or until `isOver`. */
async function untilQuiet(requestedAt: () => number, isOver: AbortSignal): Promise<void> {
  const begin = performance.now();
  for (let now = begin; !isOver.aborted; now = performance.now()) {
    const until = Math.min(Math.max(begin, requestedAt()) + QUIET_MS, begin + QUIET_WITHIN_MS);
    if (now >= until) return;
    await wait(until - now, undefined, { signal: isOver }).catch(() => undefined);
  }
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no TCP address');
  return address;
}

/**
 * What is not HTTP gets a short response in our own format and no more of our time. Undefined if nobody is left to read
 * it.
 */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): Unreadable | undefined {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const { status, phrase, sentence } = REFUSALS[error.code ?? ''] ?? BAD_REQUEST;
  const requestId = randomUUID();
  const address = socket.remoteAddress ?? '';
  const body = JSON.stringify({ error: sentence, code: 'VALIDATION_FAILED', requestId });
  socket.setTimeout(FAREWELL_MS, () => {
    socket.destroy();
  });
  const head = [
    `HTTP/1.1 ${String(status)} ${phrase}`,
    'Content-Type: application/json',
    `Content-Length: ${String(Buffer.byteLength(body))}`,
    `X-Request-Id: ${requestId}`,
    ...Object.entries(ANSWER_HEADERS).map(([name, value]) => `${name}: ${value}`),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  return { requestId, status, cause: error.code ?? error.name, address };
}

type Refusal = { readonly status: number; readonly phrase: string; readonly sentence: string };
const BAD_REQUEST: Refusal = { status: 400, phrase: 'Bad Request', sentence: 'the request is not valid HTTP' };
const REFUSALS: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    phrase: 'Request Header Fields Too Large',
    sentence: 'the request headers are larger than 16 KiB',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, phrase: 'Request Timeout', sentence: 'the request took too long to arrive' },
};
