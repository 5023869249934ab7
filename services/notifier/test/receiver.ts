import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A callback as it arrived. */
export type Received = {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
};

export type Receiver = {
  readonly url: string;
  readonly received: readonly Received[];
  /** Resolves when `count` callbacks have arrived. */
  arrived(count: number): Promise<void>;
  close(): Promise<void>;
};

/** A partner's server that answers as `answer` says. */
export async function startReceiver(answer: (received: Received, res: ServerResponse) => void): Promise<Receiver> {
  const received: Received[] = [];
  let waiting: { count: number; resolve: () => void }[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const one = {
        method: req.method ?? '',
        url: req.url ?? '',
        headers: req.headers,
        rawHeaders: req.rawHeaders,
        body: Buffer.concat(chunks),
      };
      received.push(one);
      answer(one, res);
      for (const waiter of waiting.filter(({ count }) => received.length >= count)) waiter.resolve();
      waiting = waiting.filter(({ count }) => received.length < count);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}/callback`,
    received,
    arrived: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** Answers with a status and nothing else. */
export const withStatus =
  (status: number, headers: Readonly<Record<string, string>> = {}) =>
  (_received: Received, res: ServerResponse): void => {
    res.writeHead(status, headers).end();
  };
