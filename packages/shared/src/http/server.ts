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

/** Serves HTTP with the limits that every listener of this system has. */
export async function listen(app: RequestListener, host: string, port: number): Promise<Listener> {
  const server: Server = createServer(
    {
      maxHeaderSize: HEADER_BYTES_MAX,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
      insecureHTTPParser: false,
      requireHostHeader: true,
    },
    app,
  );
  server.maxConnections = CONNECTIONS_MAX;
  server.on('clientError', refuseUnreadable);
  const running = new Set<ServerResponse>();
  server.prependListener('request', (_req, res: ServerResponse) => {
    running.add(res);
    // A request that slipped in behind the drain is still answered, and is the last one of its connection.
    if (!server.listening) res.setHeader('Connection', 'close');
    res.once('close', () => running.delete(res));
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
      const closed = new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      server.closeIdleConnections();
      // Without this word a kept-alive connection outlives its last answer, and every drain takes all of its grace.
      for (const res of running) if (!res.headersSent) res.setHeader('Connection', 'close');
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
  const [line, code, sentence] =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? ['431 Request Header Fields Too Large', 'VALIDATION_FAILED', 'the request headers are larger than 16 KiB']
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? ['408 Request Timeout', 'VALIDATION_FAILED', 'the request took too long to arrive']
        : ['400 Bad Request', 'VALIDATION_FAILED', 'the request is not valid HTTP'];
  const body = JSON.stringify({ error: sentence, code });
  socket.end(
    `HTTP/1.1 ${line}\r\nContent-Type: application/json\r\nContent-Length: ${String(Buffer.byteLength(body))}\r\nConnection: close\r\n\r\n${body}`,
  );
}
