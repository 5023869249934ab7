import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callbackIsSigned, type CallbackKey } from '@pay/signing/callback-signature.ts';

/** Every callback that reached a partner, and whether the delivery guarantees were kept. */
export type Arrivals = {
  readonly url: string;
  /** Distinct events so far. */
  readonly events: () => number;
  /** Callbacks so far, including repeats. */
  readonly calls: () => number;
  /** The violations, as sentences: empty if there are none. */
  readonly problems: (expected: ReadonlySet<string>) => string[];
  close(): Promise<void>;
};

/**
 * A healthy receiver that records each event's bytes and each payment's versions in the order of arrival. Checks every
 * signature.
 */
export async function startArrivals(keys: () => readonly CallbackKey[]): Promise<Arrivals> {
  const bodies = new Map<string, string>();
  const highest = new Map<string, number>();
  const broken: string[] = [];
  let calls = 0;
  const take = (body: Buffer, header: (name: string) => string) => {
    calls += 1;
    const text = body.toString();
    const { eventId, aggregateVersion, data } = JSON.parse(text) as {
      eventId: string;
      aggregateVersion: number;
      data: { orderId: string };
    };
    if (!callbackIsSigned(keys(), header('x-service-signature'), header('x-service-timestamp'), body))
      broken.push(`${eventId} has a wrong signature`);
    const before = bodies.get(eventId);
    if (before !== undefined && before !== text) broken.push(`${eventId} has two bodies`);
    bodies.set(eventId, text);
    const last = highest.get(data.orderId) ?? 0;
    // A repeat of the last version is allowed, the next version is due, anything else is out of order.
    if (aggregateVersion !== last && aggregateVersion !== last + 1)
      broken.push(`${data.orderId}: version ${String(aggregateVersion)} came after ${String(last)}`);
    highest.set(data.orderId, Math.max(last, aggregateVersion));
  };
  const server: Server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      take(Buffer.concat(chunks), (name) => String(req.headers[name]));
      res.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    events: () => bodies.size,
    calls: () => calls,
    problems: (expected) => {
      const lost = [...expected].filter((eventId) => !bodies.has(eventId));
      const strange = [...bodies.keys()].filter((eventId) => !expected.has(eventId));
      return [
        ...broken,
        ...(lost.length === 0 ? [] : [`${String(lost.length)} events never came, ${String(lost[0])} among them`]),
        ...(strange.length === 0 ? [] : [`${String(strange.length)} events were never made`]),
      ];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}
