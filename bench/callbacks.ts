import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';
import { signCallback } from '../packages/signing/src/callback-signature.ts';
import { commitFacts, insertBacklog, insertPartners } from '../services/notifier/test/facts.ts';
import { startArrivalClock, type Arrivals } from './callback-arrivals.ts';
import { ratios, withRange, type Report } from './figures.ts';
import { machineMs, quantilesOf, saturate, type Quantiles } from './load.ts';
import { withNotifiers, type Notifiers } from './notifiers.ts';
import type { BenchProcess } from './processes/start.ts';
import { startBad } from './receivers.ts';
import { table } from './table.ts';
import { ROUNDS } from './rounds.ts';

const PARTNERS = 20;
/** A replica's backlog: some ten seconds of work. */
const PER_PARTNER = 750;
/** Half of the rate that two replicas guarantee. */
const HALF_PER_SECOND = 750;
const LATENCY_SECONDS = 10;
/** Until the compiler has optimised the hot code: services run for weeks. */
const WARM_UP_PER_SECOND = 200;
const WARM_UP_SECONDS = 30;

/** Deliveries per second of two replicas, and the time from a fact's commit to delivery at half that load. */
export function benchCallbacks(): Promise<Report> {
  return withNotifiers(async (notifiers) => {
    const arrivals = await startArrivalClock();
    const { receiver } = arrivals;
    const partners = partnersOf(PARTNERS, receiver);
    const keys = await insertPartners(notifiers.pool, partners);
    const floor = await floorOfPosts(receiver, keys.slice(0, 1));
    await Promise.all([notifiers.start(), notifiers.start()]);
    await latencies(notifiers, partners, arrivals, WARM_UP_PER_SECOND, WARM_UP_SECONDS);
    const total = PARTNERS * PER_PARTNER;
    const [halves, rates]: [Quantiles[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      halves.push(quantilesOf(await latencies(notifiers, partners, arrivals, HALF_PER_SECOND, LATENCY_SECONDS)));
      const before = arrivals.count();
      await insertBacklog(
        notifiers.pool,
        partners.map(({ partnerId }) => partnerId),
        PER_PARTNER,
      );
      const startedAt = machineMs();
      await arrivals.reach(before + total);
      rates.push(total / ((machineMs() - startedAt) / 1_000));
    }
    const usage = await receiver.usage();
    receiver.stop();
    const text = [
      `${String(PARTNERS)} healthy receivers, two replicas; every attempt is signed and recorded. Medians of ${String(ROUNDS)} rounds, and their range.`,
      '',
      table(
        ['deliveries', 'a second', 'target'],
        [
          ['a backlog of ' + String(total), withRange(rates), '≥ 1500'],
          ['floor: the same POSTs, signed, by one undici pool', floor.perSecond.toFixed(0), ''],
        ],
      ),
      '',
      latencyTable([[`${String(HALF_PER_SECOND)} facts a second, one commit each`, halves]], floor),
      '',
      `The receiver's event loop's lag, p99 and most: ${usage.lagP99Ms.toFixed(1)} and ${usage.lagMaxMs.toFixed(1)} ms.`,
    ].join('\n');
    return {
      text,
      figures: [
        { name: 'backlog delivered', unit: '/s', better: 'higher', values: rates },
        { name: 'commit to arrival, p50', unit: 'ms', better: 'lower', values: halves.map(({ p50Ms }) => p50Ms) },
        { name: 'commit to arrival, p99', unit: 'ms', better: 'lower', values: halves.map(({ p99Ms }) => p99Ms) },
      ],
    };
  });
}

const HEALTHY = 98;
const BAD_EVENTS = 10_000;
/** All healthy partners together. */
const ISOLATION_PER_SECOND = 300;
const BAD = ['hanging', 'resetting'];
/** With and without alternate, so that a machine that slows down meanwhile does not look like a bad receiver. */
const ROUND_SECONDS = 8;

/**
 * spec/scenarios#i11: the effect on 98 healthy partners of one that hangs and one that resets, with 10,000 events each.
 */
export function benchIsolation(): Promise<Report> {
  return withNotifiers(async (notifiers) => {
    const arrivals = await startArrivalClock();
    const { receiver } = arrivals;
    const [hanging, resetting] = await Promise.all([startBad('hangs'), startBad('resets')]);
    const healthy = partnersOf(HEALTHY, receiver);
    await insertPartners(notifiers.pool, healthy);
    await insertPartners(notifiers.pool, [
      { partnerId: 'hanging', url: hanging.url },
      { partnerId: 'resetting', url: resetting.url },
    ]);
    await Promise.all([notifiers.start(), notifiers.start()]);
    await latencies(notifiers, healthy, arrivals, WARM_UP_PER_SECOND, WARM_UP_SECONDS);
    const [without, beside]: [Quantiles[], Quantiles[]] = [[], []];
    const stretch = async () => quantilesOf(await latencies(notifiers, healthy, arrivals, ISOLATION_PER_SECOND, ROUND_SECONDS));
    for (let round = 0; round < ROUNDS; round += 1) {
      without.push(await stretch());
      if (round === 0) await insertBacklog(notifiers.pool, BAD, BAD_EVENTS);
      else await notifiers.pool.query(`update aggregates set due_at = clock_now() where partner_id = any($1)`, [BAD]);
      beside.push(await stretch());
      await notifiers.pool.query(`update aggregates set due_at = null where partner_id = any($1)`, [BAD]);
    }
    const p99s = (rounds: readonly Quantiles[]) => rounds.map(({ p99Ms }) => p99Ms);
    const shares = ratios(p99s(beside), p99s(without));
    for (const one of [receiver, hanging, resetting]) one.stop();
    const text = [
      `${String(HEALTHY)} healthy partners, ${String(ISOLATION_PER_SECOND)} facts a second in all, two replicas; ${String(ROUNDS)} times ${String(ROUND_SECONDS)} s each, by turns.`,
      '',
      latencyTable([
        ['floor: without the two', without],
        [`beside one that hangs and one that resets, ${String(BAD_EVENTS)} events each`, beside],
      ]),
      '',
      `p99 with ÷ without, round by round: ${withRange(shares)} (target < 1.2).`,
    ].join('\n');
    return { text, figures: [{ name: 'p99 with the two ÷ without', unit: '', better: 'lower', values: shares }] };
  });
}

function partnersOf(count: number, { url }: BenchProcess): { partnerId: string; url: string }[] {
  return Array.from({ length: count }, (_none, index) => ({ partnerId: `partner-${String(index)}`, url: `${url}/` }));
}

/** Commits facts at a steady rate, and returns how long each took from its commit to its arrival at the receiver. */
async function latencies(
  { payments }: Notifiers,
  partners: readonly { partnerId: string }[],
  arrivals: Arrivals,
  perSecond: number,
  seconds: number,
): Promise<number[]> {
  const startedAt = machineMs();
  const committedAt = new Map<string, number>();
  const running: Promise<void>[] = [];
  const before = arrivals.count();
  const count = perSecond * seconds;
  for (let index = 0; index < count; index += 1) {
    const early = startedAt + (index * 1_000) / perSecond - machineMs();
    if (early > 1) await wait(early);
    const paymentId = randomUUIDv7();
    const partnerId = partners[index % partners.length]?.partnerId ?? '';
    running.push(
      commitFacts(payments, [{ partnerId, paymentId, versions: 1 }]).then(() => {
        committedAt.set(paymentId, machineMs());
      }),
    );
  }
  await Promise.all(running);
  await arrivals.reach(before + count);
  return [...committedAt].map(([paymentId, at]) => Math.max(0, (arrivals.at(paymentId) ?? Infinity) - at));
}

function latencyTable(rows: readonly (readonly [string, readonly Quantiles[]])[], floor?: Quantiles): string {
  return table(
    ['commit to arrival', 'p50 ms', 'p99 ms'],
    [
      ...rows.map(([what, rounds]) => [what, withRange(rounds.map(({ p50Ms }) => p50Ms)), withRange(rounds.map(({ p99Ms }) => p99Ms))]),
      ...(floor === undefined
        ? []
        : [
            ['target', '≤ 25', '≤ 250'],
            ['floor: one POST at saturation', floor.p50Ms.toFixed(1), floor.p99Ms.toFixed(1)],
          ]),
    ],
  );
}

/** The same requests without a database: the cost of HTTP and HMAC on this machine. */
async function floorOfPosts(receiver: BenchProcess, keys: Parameters<typeof signCallback>[0]) {
  const pool = new Pool(receiver.url, { connections: 32, pipelining: 1 });
  const body = Buffer.from(JSON.stringify({ eventId: randomUUIDv7(), data: { merchantOrderId: 'x'.repeat(300) } }));
  const result = await saturate({
    concurrency: 32,
    seconds: 5,
    warmUpSeconds: 1,
    one: async () => {
      const timestamp = String(Math.floor(Date.now() / 1_000));
      const headers = {
        'Content-Type': 'application/json',
        'X-Service-Event-ID': randomUUIDv7(),
        'X-Service-Timestamp': timestamp,
        'X-Service-Signature': signCallback(keys, timestamp, body),
      };
      const response = await pool.request({ method: 'POST', path: '/', headers, body });
      await response.body.dump();
    },
  });
  await pool.close();
  return result;
}
