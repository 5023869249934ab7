import { randomUUIDv7 } from 'node:crypto';
import { createServer } from 'node:http';
import { loadavg } from 'node:os';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { commitFacts, insertPartners } from '../services/notifier/test/facts.ts';
import type { Report } from './figures.ts';
import { withNotifiers, type Notifiers } from './notifiers.ts';
import { serversOf, watchUsage, type Usage } from './usage.ts';
import { table } from './table.ts';
import { serverMarks } from './world.ts';

const PARTNERS = 20;
const PER_SECOND = 100;
/** Until the compiler has optimised the hot code: services run for weeks. */
const WARM_UP_SECONDS = 60;
const SECONDS = 60;
/** How long the receivers take, so that a killed replica has attempts in flight. */
const ANSWER_MS = 50;
const KILLS = 3;

/**
 * Two replicas at a low rate: CPU for each event, memory of each replica, and how long it takes after a kill until
 * everything that was committed before is delivered.
 */
export function benchTrickle(): Promise<Report> {
  return withNotifiers(async (notifiers) => {
    const [receiver, marks] = await Promise.all([startReceiver(), serverMarks(notifiers.servers)]);
    const partners = Array.from({ length: PARTNERS }, (_none, index) => `partner-${String(index)}`);
    await insertPartners(
      notifiers.pool,
      partners.map((partnerId) => ({ partnerId, url: receiver.url })),
    );
    const replicas = await Promise.all([notifiers.start(), notifiers.start()]);
    const groups = () =>
      new Map([...serversOf(marks), ...replicas.map(({ pid }, index) => [pid, `replica ${String(index + 1)}`] as const)]);
    await commitAt(notifiers, partners, WARM_UP_SECONDS);
    const used = watchUsage(groups);
    const events = await commitAt(notifiers, partners, SECONDS);
    const usages = [...used()].sort(([a], [b]) => a.localeCompare(b));
    const recoveries: number[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      const committing = commitAt(notifiers, partners, 3);
      await wait(2_000);
      await replicas[kill % 2]?.kill();
      const killedAt = performance.now();
      await allDelivered(notifiers);
      recoveries.push((performance.now() - killedAt) / 1_000);
      await committing;
      replicas[kill % 2] = await notifiers.start();
    }
    receiver.close();
    const whole = sumOf(usages);
    const text = [
      `${String(PER_SECOND)} facts a second for ${String(SECONDS)} s after ${String(WARM_UP_SECONDS)} s of warm-up, ${String(PARTNERS)} partners, answers after ${String(ANSWER_MS)} ms, load average ${String(loadavg()[0]?.toFixed(1))}.`,
      '',
      table(
        ['process', 'ms of CPU an event', 'resident MiB'],
        [...usages, ['replicas, PostgreSQL for notifier and itself, RabbitMQ', whole] as const].map(([group, { cpuMs, residentMiB }]) => [
          group,
          (cpuMs / events).toFixed(2),
          residentMiB.toFixed(0),
        ]),
      ),
      '',
      `From the kill of a replica until everything committed before is delivered: ${recoveries.map((seconds) => seconds.toFixed(1)).join(', ')} s (target ≤ 5).`,
    ].join('\n');
    const resident = usages.filter(([group]) => group.startsWith('replica')).map(([, { residentMiB }]) => residentMiB);
    const figures: Report['figures'] = [
      { name: 'CPU an event', unit: 'ms', better: 'lower', values: [whole.cpuMs / events] },
      { name: 'a replica', unit: 'MiB', better: 'lower', values: resident },
      { name: 'recovery after a kill', unit: 's', better: 'lower', values: recoveries },
    ];
    return { text, figures };
  });
}

/** What the notifier costs: without the relay and the bench itself, which commit the facts. */
const sumOf = (usages: readonly (readonly [string, Usage])[]): Usage =>
  usages
    .filter(([group]) => group !== 'PostgreSQL for payments')
    .map(([, usage]) => usage)
    .reduce((sum, one) => ({ cpuMs: sum.cpuMs + one.cpuMs, residentMiB: sum.residentMiB + one.residentMiB }));

/** Commits facts evenly, one transaction each. Returns how many. */
async function commitAt({ payments }: Notifiers, partners: readonly string[], seconds: number): Promise<number> {
  const startedAt = performance.now();
  const commits: Promise<unknown>[] = [];
  const total = seconds * PER_SECOND;
  while (commits.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1_000) * PER_SECOND));
    while (commits.length < due) {
      const partnerId = partners[commits.length % partners.length] ?? '';
      commits.push(commitFacts(payments, [{ partnerId, paymentId: randomUUIDv7(), versions: 1 }]));
    }
    await wait(5);
  }
  await Promise.all(commits);
  return total;
}

/** Resolves when the notifier has delivered whatever was committed until now. */
async function allDelivered({ payments, pool }: Notifiers): Promise<void> {
  const { rows: facts } = await payments.query<{ id: string }>(
    `select message_id as id from outbox union all select message_id from published where occurred_at > clock_now() - interval '10 seconds'`,
  );
  const ids = facts.map(({ id }) => id);
  for (;;) {
    const { rows } = await pool.query<{ count: number }>(
      `select count(*)::int as count from events where event_id = any($1) and status = 'DELIVERED'`,
      [ids],
    );
    if (rows[0]?.count === ids.length) return;
    await wait(20);
  }
}

async function startReceiver(): Promise<{ readonly url: string; close(): void }> {
  const server = createServer((req, res) => {
    req.resume().on('end', () => setTimeout(() => res.end(), ANSWER_MS));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
