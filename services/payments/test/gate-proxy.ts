import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { request } from 'undici';

export type GateProxy = {
  readonly url: string;
  /** How many calls arrived. */
  readonly callCount: number;
  /** The bank carries out the call of this number, from 1, counted from now; its answer waits. */
  hold(number: number): { readonly arrived: Promise<void>; open(): void };
  /** Every answer comes this much later. */
  delay(ms: number): void;
  close(): Promise<void>;
};

/** Stands between a connector and its bank, so that the suite of all connectors can play the road between them. */
export async function startGateProxy(bankUrl: string): Promise<GateProxy> {
  let [callCount, delayMs] = [0, 0];
  const held = new Map<number, { arrive: () => void; opened: Promise<void> }>();

  const server = createServer((req, res) => {
    callCount += 1;
    const gate = held.get(callCount);
    const forward = async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      const { host, connection, 'transfer-encoding': _, ...headers } = req.headers;
      const answer = await request(`${bankUrl}${req.url ?? ''}`, {
        method: req.method === 'GET' ? 'GET' : 'POST',
        headers: { ...headers, 'x-through': `${String(host)} ${String(connection)}` },
        body: chunks.length === 0 ? null : Buffer.concat(chunks),
      });
      const body = await answer.body.text();
      gate?.arrive();
      await gate?.opened;
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      res.writeHead(answer.statusCode, { 'content-type': 'application/json' }).end(body);
    };
    forward().catch(() => {
      res.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    get callCount() {
      return callCount;
    },
    hold(number) {
      let arrive: () => void = () => undefined;
      let open: () => void = () => undefined;
      const arrived = new Promise<void>((resolve) => (arrive = resolve));
      const opened = new Promise<void>((resolve) => (open = resolve));
      held.set(callCount + number, { arrive, opened });
      return {
        arrived,
        open: () => {
          open();
        },
      };
    },
    delay(ms) {
      delayMs = ms;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}
