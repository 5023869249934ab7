import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { freshMoment, readIdentity, signRequest } from '../packages/sdk/src/sign.ts';
import { processUrls } from '../tools/system/environment.ts';
import type { Figure, Report } from './figures.ts';
import { paced, type LoadResult } from './load.ts';
import { resultTable } from './table.ts';
import { withSystem, type World } from './world.ts';

const SECONDS = 10;
/** The normal partner's rate: far below the machine's capacity, so that its latency is not its own queue. */
const GOOD_PER_SECOND = 40;
/** The flood's maximum rate. It gets 401 until its address has no tokens left, then 429. */
const FLOOD_PER_SECOND = 1_000;
const FLOOD_CONNECTIONS = 16;
/** Not the normal partner's address: failures are counted by address. Linux has all of 127/8. */
const FLOOD_ADDRESS = '127.0.0.2';

/**
 * Sent to a gateway that has seen no partner since it started, from the normal partner's own address
 * (spec/findings#s3).
 */
const NOISE_PER_SECOND = 300;
const VALID_PER_SECOND = 20;
const VALID_CALLS = 200;

/**
 * spec/scenarios#a38: a normal partner's latency while one address sends invalid signatures, compared with a run
 * without them.
 */
export function benchFlood(): Promise<Report> {
  return withSystem({ replicas: { gateway: 2 } }, async (world) => {
    const { id } = await world.partner.create(world.state.partner.paymentPoints.card);
    const good = (): Promise<LoadResult> =>
      paced({ perSecond: GOOD_PER_SECOND, seconds: SECONDS, warmUpSeconds: 4, one: () => world.partner.read(id) });
    const quiet = await good();
    const flood = startFlood(world, id);
    const flooded = await good();
    const answers = await flood.stop();
    const again = await good();
    const share = flooded.p99Ms / ((quiet.p99Ms + again.p99Ms) / 2);
    const noise = await amongNoise(world, id);
    const text = [
      `Status reads of a good partner, ${String(GOOD_PER_SECOND)} a second; the flood comes from its own address and has its key and partnerID.`,
      '',
      resultTable([
        ['floor: without the flood, before', quiet],
        ['with the flood', flooded],
        ['floor: without the flood, after', again],
      ]),
      '',
      `p99 with the flood ÷ without: ${share.toFixed(2)} (target ≤ 1.2). The flood got ${answers}.`,
      '',
      noise.text,
    ].join('\n');
    const figures: Figure[] = [
      { name: 'p99 with the flood ÷ without', unit: '', better: 'lower', values: [share] },
      { name: 'valid calls refused at a new gateway', unit: '', better: 'lower', values: [noise.refused] },
    ];
    return { text, figures };
  });
}

/**
 * Valid calls of a partner that the gateway has not seen yet, while strangers at the same address are over their
 * limits.
 */
async function amongNoise(world: World, id: string): Promise<{ text: string; refused: number }> {
  const partner = world.partnerAt(2);
  const noise = startNoise(world, id);
  await noise.limited;
  const { done, failed, p50Ms, p99Ms } = await paced({
    perSecond: VALID_PER_SECOND,
    seconds: VALID_CALLS / VALID_PER_SECOND,
    warmUpSeconds: 0,
    one: () => partner.read(id),
  });
  const { perSecond, answers } = noise.stop();
  const text = `After a start, among ${perSecond.toFixed(0)} requests a second of noise from its own address (no header, no JSON, an unknown key, the partner's name with a wrong signature: ${answers}): ${String(failed)} of ${String(done + failed)} valid calls refused (target 0), p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms.`;
  return { text, refused: failed };
}

/** Sends each kind of noise in turn, each on its own connection, whether or not earlier ones were answered. */
function startNoise({ state }: World, id: string) {
  const { hostname, port } = new URL(processUrls(state, 'gateway', 2).url);
  const target = `/api/card/${id}`;
  const parts = { method: 'GET', target, idempotencyKey: '', body: Buffer.alloc(0) };
  const kinds = [
    () => undefined,
    () => '{',
    () => authorizationOf(state, parts, { partnerID: randomUUID() }),
    () => authorizationOf(state, parts, {}),
  ];
  const [counts, limited] = [new Map<string, number>(), new Set<number>()];
  const allLimited = Promise.withResolvers<undefined>();
  const startedAt = performance.now();
  let sent = 0;
  const send = (): void => {
    const kind = sent % kinds.length;
    sent += 1;
    const authorization = kinds[kind]?.();
    const line = authorization === undefined ? '' : `Authorization: ${authorization}\r\n`;
    const socket = connect({ host: hostname, port: Number(port) });
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(chunk.toString('latin1'))?.[1] ?? 'none';
      counts.set(status, (counts.get(status) ?? 0) + 1);
      if (status === '429') limited.add(kind);
      if (limited.size === kinds.length) allLimited.resolve(undefined);
      socket.destroy();
    });
    socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n${line}\r\n`);
  };
  // As many as are due by now: timers are late when the machine is busy.
  const timer = setInterval(() => {
    while (sent < ((performance.now() - startedAt) / 1_000) * NOISE_PER_SECOND) send();
  }, 1);
  return {
    limited: allLimited.promise,
    stop() {
      clearInterval(timer);
      const answers = [...counts].map(([status, count]) => `${String(count)} × ${status}`).join(', ');
      return { perSecond: sent / ((performance.now() - startedAt) / 1_000), answers };
    },
  };
}

type Parts = Parameters<typeof signRequest>[1];

/** The header of a signed request of the normal partner, with a different nonce from the signed one. */
function authorizationOf(state: World['state'], parts: Parts, change: Record<string, unknown>): string {
  const { authorization } = signRequest(readIdentity(state.partner), parts, freshMoment(new Date()));
  return JSON.stringify({ ...(JSON.parse(authorization) as object), nonce: randomUUID(), ...change });
}

/**
 * Keeps connections busy with wrongly signed requests, cheaply enough for the same process: raw bytes, nothing parsed.
 */
function startFlood({ state }: World, id: string): { stop(): Promise<string> } {
  const { hostname, port } = new URL(processUrls(state, 'gateway', 1).url);
  const identity = readIdentity(state.partner);
  const target = `/api/card/${id}`;
  const parts = { method: 'GET', target, idempotencyKey: '', body: Buffer.alloc(0) };
  const { authorization } = signRequest(identity, parts, freshMoment(new Date()));
  // One signature with changing nonces: each request costs a full verification.
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
