import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A bank that approves at once and records how long it took. */
export type BenchBank = {
  readonly url: string;
  /** How long it took to handle its latest call about an operation. */
  readonly tookMs: (operationId: string) => number;
  /** When it approved an operation's card, by `performance.now()`. */
  readonly approvedAt: (operationId: string) => number | undefined;
  close(): void;
};

/** The sandbox bank's acquirer API as far as a card payment needs it, in memory: its time can be subtracted. */
export async function startBenchBank(): Promise<BenchBank> {
  const amounts = new Map<string, string>();
  const took = new Map<string, number>();
  const approved = new Map<string, number>();
  const server = createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    const cameAt = performance.now();
    void readJson(req).then((body) => {
      const [, , , pathId = ''] = (req.url ?? '').split('/');
      const operationId = pathId === '' ? String(body['operationId']) : pathId;
      const isCard = (req.url ?? '').endsWith('/authorize');
      const amountKopecks = amounts.get(operationId) ?? String(body['amountKopecks']);
      amounts.set(operationId, amountKopecks);
      const status = isCard ? 'APPROVED' : 'REGISTERED';
      const cardMask = isCard ? '411111******1111' : null;
      res.setHeader('content-type', 'application/json');
      res.end(JSON.stringify({ operationId, bankOperationId: `bench-${operationId}`, kind: 'ORDER', status, amountKopecks, currency: 'RUB', cardMask })); // prettier-ignore
      const now = performance.now();
      took.set(operationId, now - cameAt);
      if (isCard) approved.set(operationId, now);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    tookMs: (operationId) => took.get(operationId) ?? 0,
    approvedAt: (operationId) => approved.get(operationId),
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function readJson(req: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
}
