import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePorts, untilFree } from './ports.ts';

/** Listens on a port that was free. */
async function hold() {
  const { port } = await freePorts(['port']);
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { port, letGo: () => server.close() };
}

describe('the ports of our servers', () => {
  it('are the wished ones where these are free, and others where they are not', async () => {
    const { port, letGo } = await hold();
    expect((await freePorts(['amqp'], { amqp: port })).amqp).not.toBe(port);
    letGo();
    expect((await freePorts(['amqp'], { amqp: port })).amqp).toBe(port);
  });

  it('are not given out twice while whoever has them may still be starting', async () => {
    const names = Array.from({ length: 25 }, (_none, index) => `port-${String(index)}`);
    const ports: number[] = [];
    for (let system = 0; system < 20; system += 1) ports.push(...Object.values(await freePorts(names)));
    expect(new Set(ports).size).toBe(ports.length);
  });

  it('are waited for after a crash, as long as the one that held them is not quite gone', async () => {
    const { port, letGo } = await hold();
    const order: string[] = [];
    const free = untilFree([port]).then(() => order.push('free'));
    // One check of the port is over.
    await freePorts(['other']);
    order.push('let go');
    letGo();
    await free;
    expect(order).toEqual(['let go', 'free']);
  });
});
