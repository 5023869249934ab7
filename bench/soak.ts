import { randomInt, randomUUIDv7 } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { CallbackKey } from '../packages/signing/src/callback-signature.ts';
import { startArrivals } from '../services/notifier/test/arrivals.ts';
import { commitFacts, insertPartners } from '../services/notifier/test/facts.ts';
import type { ServiceProcess } from '../tools/testing/process.ts';
import { withNotifiers, type Notifiers } from './notifiers.ts';
import type { Report } from './figures.ts';
import { table } from './table.ts';
import { say } from './world.ts';

/** For a quick run: `SOAK_EVENTS=2000 npm run bench -- soak`. */
const EVENTS = Number(process.env['SOAK_EVENTS'] ?? 100_000);
const VERSIONS = 4;
const PARTNERS = 50;
const REPLICAS = 3;
/** Payments whose facts are committed in one transaction. */
const BATCH = 25;
/** A fault is injected every few seconds until everything has arrived. */
const HURT_EVERY_MS = [2_000, 6_000] as const;
/** A lease is 30 s and recovery may need several; if nothing new arrives for this long, something is lost. */
const SILENCE_MS = 180_000;

/**
 * 100,000 events while notifier replicas are killed at random times and broker and database crash: none is lost, none
 * has two bodies, and the events of each payment arrive in order.
 */
export function benchSoak(): Promise<Report> {
  return withNotifiers(async (notifiers) => {
    let keys: readonly CallbackKey[] = [];
    const arrivals = await startArrivals(() => keys);
    const partners = Array.from({ length: PARTNERS }, (_none, index) => ({
      partnerId: `partner-${String(index)}`,
      url: arrivals.url,
    }));
    keys = await insertPartners(notifiers.pool, partners);
    const startedAt = performance.now();
    const done = new AbortController();
    const hurts = hurt(notifiers, done.signal);
    const expected = await commitAll(notifiers, partners);
    say(`${String(expected.size)} facts committed after ${String(Math.round((performance.now() - startedAt) / 1_000))} s`);
    await untilAllArrived(arrivals, expected.size);
    const seconds = (performance.now() - startedAt) / 1_000;
    done.abort();
    const { kills, databases, brokers } = await hurts;
    const problems = arrivals.problems(expected);
    await arrivals.close();
    const repeats = arrivals.calls() - arrivals.events();
    if (problems.length > 0) throw new Error(problems.slice(0, 10).join('\n'));
    const text = table(
      ['what', 'count'],
      [
        ['floor: events committed', expected.size],
        ['events that arrived, each with one body, in the order of its payment', arrivals.events()],
        ['repeats of the same event and bytes', repeats],
        ['replicas killed', kills],
        ['crashes of the database', databases],
        ['crashes of the broker', brokers],
        ['seconds', seconds.toFixed(0)],
      ],
    );
    return { text, figures: [{ name: 'until everything arrived', unit: 's', better: 'lower', values: [seconds] }] };
  });
}

async function commitAll({ payments }: Notifiers, partners: readonly { partnerId: string }[]): Promise<Set<string>> {
  const expected = new Set<string>();
  for (let made = 0; made < EVENTS; made += BATCH * VERSIONS) {
    const facts = Array.from({ length: BATCH }, () => ({
      partnerId: partners[randomInt(partners.length)]?.partnerId ?? '',
      paymentId: randomUUIDv7(),
      versions: VERSIONS,
    }));
    for (const eventId of await committed(() => commitFacts(payments, facts))) expected.add(eventId);
    // About the rate of delivery, so that crashes hit every stage.
    await wait(50);
  }
  return expected;
}

/**
 * If the database crashes before it answers, the commit is in doubt: the batch is repeated under new ids, and the old
 * one does not count.
 */
async function committed(commit: () => Promise<string[]>): Promise<string[]> {
  for (;;) {
    const ids = await commit().catch(() => undefined);
    if (ids !== undefined) return ids;
    await wait(500);
  }
}

async function hurt({ start, servers }: Notifiers, done: AbortSignal): Promise<{ kills: number; databases: number; brokers: number }> {
  const replicas: (ServiceProcess | undefined)[] = await Promise.all(Array.from({ length: REPLICAS }, start));
  const counts = { kills: 0, databases: 0, brokers: 0 };
  const pause = () => wait(randomInt(...HURT_EVERY_MS), true, { signal: done }).catch(() => false);
  while (await pause()) {
    const dice = randomInt(10);
    if (dice === 0) {
      counts.databases += 1;
      await servers.restart('database');
    } else if (dice === 1) {
      counts.brokers += 1;
      await servers.restart('broker');
    } else {
      counts.kills += 1;
      const victim = randomInt(REPLICAS);
      await replicas[victim]?.kill();
      // A start may fail while the database restarts: the next round tries again.
      replicas[victim] = await start().catch(() => undefined);
    }
  }
  return counts;
}

async function untilAllArrived(arrivals: { events: () => number }, count: number): Promise<void> {
  let before = -1;
  let changedAt = performance.now();
  while (arrivals.events() < count && performance.now() - changedAt < SILENCE_MS) {
    if (arrivals.events() !== before) changedAt = performance.now();
    before = arrivals.events();
    await wait(250);
  }
}
