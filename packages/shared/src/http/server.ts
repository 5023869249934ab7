import { randomUUID } from 'node:crypto';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export type Listener = {
  readonly port: number;
  /** Stops accepting, lets running requests finish for at most `graceMs`, then cuts what is left. */
  drain(graceMs: number): Promise<void>;
};

/** A client gets ten seconds for its headers and fifteen for the whole request: bodies are at most 64 KiB. */
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 15_000;
/** Longer than the gateway's pool keeps an idle connection, so that the server never closes one under a request. */
const KEEP_ALIVE_TIMEOUT_MS = 65_000;
const HEADER_BYTES_MAX = 16 * 1024;
/** Sockets of one process: past it new ones are refused instead of slowing all. */
const CONNECTIONS_MAX = 5_000;
/** For a client that was told what is wrong to read it and hang up. */
const FAREWELL_MS = 2_000;

type Limits = {
  /** For tests that do not want to wait ten seconds. */
  readonly headersTimeoutMs?: number;
  readonly checkEveryMs?: number;
};

/** Serves HTTP with the limits that every listener of this system has. */
export async function listen(app: RequestListener, host: string, port: number, limits: Limits = {}): Promise<Listener> {
  const running = new Set<ServerResponse>();
  let draining = false;
  const server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: limits.headersTimeoutMs ?? HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: limits.checkEveryMs ?? 1_000,
      insecureHTTPParser: false,
      requireHostHeader: true,
    },
    (req, res) => {
      running.add(res);
      res.once('close', () => running.delete(res));
      if (draining) res.setHeader('Connection', 'close');
      app(req, res);
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  server.on('clientError', refuseUnreadable);
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
      // Otherwise a kept-alive connection stays open after its answer, and the drain waits for the whole grace time.
      for (const res of running) if (!res.headersSent) res.setHeader('Connection', 'close');
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      server.closeIdleConnections();
      const cut = setTimeout(() => {
        server.closeAllConnections();
      }, graceMs);
      await closed;
      clearTimeout(cut);
    },
  };
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no TCP address');
  return address;
}

/** What is not HTTP gets a short answer in our own form and no more of our time. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { line, sentence } = REFUSALS[error.code ?? ''] ?? {
    line: '400 Bad Request',
    sentence: 'the request is not valid HTTP',
  };
  const body = JSON.stringify({ error: sentence, code: 'VALIDATION_FAILED', requestId: randomUUID() });
  socket.setTimeout(FAREWELL_MS, () => {
    socket.destroy();
  });
  socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: application/json\r\nContent-Length: ${String(Buffer.byteLength(body))}\r\nConnection: close\r\n\r\n${body}`,
  );
}

const REFUSALS: Readonly<Record<string, { line: string; sentence: string }>> = {
  HPE_HEADER_OVERFLOW: {
    line: '431 Request Header Fields Too Large',
    sentence: 'the request headers are larger than 16 KiB',
  },
  ERR_HTTP_REQUEST_TIMEOUT: { line: '408 Request Timeout', sentence: 'the request took too long to arrive' },
};
