import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A partner's server. */
export type BenchReceiver = { readonly url: string; close(): void };

/** Answers 200 at once, and tells who arrived. */
export async function startHealthy(onArrival: (body: Buffer) => void): Promise<BenchReceiver> {
  const listener: RequestListener = (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      onArrival(Buffer.concat(chunks));
      res.end();
    });
  };
  const server = createServer({ keepAliveTimeout: 60_000 }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Takes connections and does `what` with each: hangs, or resets. */
export async function startBad(what: 'hangs' | 'resets'): Promise<BenchReceiver> {
  const open = new Set<Socket>();
  const server = createTcpServer((socket) => {
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.on('data', () => {
      if (what === 'resets') socket.resetAndDestroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    close: () => {
      for (const socket of open) socket.destroy();
      server.close();
    },
  };
}
