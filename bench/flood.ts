import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { freshMoment, readIdentity, signRequest } from '../packages/sdk/src/sign.ts';
import { processUrls } from '../tools/system/environment.ts';
import { paced, type LoadResult } from './load.ts';
import { resultTable } from './table.ts';
import { withSystem, type World } from './world.ts';

const SECONDS = 10;
/** A good partner's pace: far below what the machine can do, so that its latency is not its own queue. */
const GOOD_PER_SECOND = 40;
/** What the flood sends at most; it is answered 401 until its address is out of tokens, then 429. */
const FLOOD_PER_SECOND = 1_000;
const FLOOD_CONNECTIONS = 16;
/** Not the good partner's: what fails is counted by address. Linux has all of 127/8. */
const FLOOD_ADDRESS = '127.0.0.2';

/** Case A38: a good partner's latency while one address sends signatures that do not fit, beside a run without it. */
export function benchFlood(): Promise<string> {
  return withSystem({}, async (world) => {
    const { id } = await world.partner.create(world.state.partner.paymentPoints.card);
    const good = (): Promise<LoadResult> =>
      paced({ perSecond: GOOD_PER_SECOND, seconds: SECONDS, warmUpSeconds: 4, one: () => world.partner.read(id) });
    const quiet = await good();
    const flood = startFlood(world, id);
    const flooded = await good();
    const answers = await flood.stop();
    const again = await good();
    const floor = (quiet.p99Ms + again.p99Ms) / 2;
    return [
      `Status reads of a good partner, ${String(GOOD_PER_SECOND)} a second; the flood comes from its own address and has its key and partnerID.`,
      '',
      resultTable([
        ['floor: without the flood, before', quiet],
        ['with the flood', flooded],
        ['floor: without the flood, after', again],
      ]),
      '',
      `p99 with the flood ÷ without: ${(flooded.p99Ms / floor).toFixed(2)} (target ≤ 1.2). The flood got ${answers}.`,
    ].join('\n');
  });
}

/** Keeps connections busy with requests of a wrong signature, in another process's stead: raw bytes, nothing parsed. */
function startFlood({ state }: World, id: string): { stop(): Promise<string> } {
  const { hostname, port } = new URL(processUrls(state, 'gateway', 1).url);
  const identity = readIdentity(state.partner);
  const target = `/api/card/${id}`;
  const parts = { method: 'GET', target, idempotencyKey: '', body: Buffer.alloc(0) };
  const { authorization } = signRequest(identity, parts, freshMoment(new Date()));
  // One signature, over another nonce: the whole check is done for each of them.
  const bytes = () => {
    const forged: Record<string, unknown> = { ...(JSON.parse(authorization) as object), nonce: randomUUID() };
    return `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: ${JSON.stringify(forged)}\r\n\r\n`;
  };
  const counts = new Map<string, number>();
  const sockets: Socket[] = [];
  const perConnectionMs = (1_000 * FLOOD_CONNECTIONS) / FLOOD_PER_SECOND;
  const timers = Array.from({ length: FLOOD_CONNECTIONS }, () => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: FLOOD_ADDRESS });
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      for (const [, status = ''] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3}) /g))
        counts.set(status, (counts.get(status) ?? 0) + 1);
    });
    sockets.push(socket);
    return setInterval(() => socket.write(bytes()), perConnectionMs);
  });
  return {
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await wait(500);
      for (const socket of sockets) socket.destroy();
      return [...counts].map(([status, count]) => `${String(count)} × ${status}`).join(', ');
    },
  };
}
