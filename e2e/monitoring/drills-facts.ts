import { connect } from 'amqplib';
import { withClient } from '../../tools/infrastructure/provision.ts';
import { ADVISORY_LOCKS } from '../../packages/shared/src/postgres/advisory-locks.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { startTraffic } from '../faults/traffic.ts';
import { CARDS } from '../world.ts';
import type { Drill } from './drill.ts';
import { again, untilEnded, type DrillSystem } from './drill-system.ts';

const CLAIMS_HELD_MS = 9_000;
const CLAIMS_FREE_MS = 3_000;

/** Nobody claims callbacks while another session has the lock: a replica that hangs in its claim. */
async function holdClaims(system: DrillSystem, held: () => Promise<unknown>): Promise<void> {
  await withClient(system.world.system.state().databaseAdminUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.claimDeliveries]);
    await held();
    await client.query('select pg_advisory_unlock($1)', [ADVISORY_LOCKS.claimDeliveries]);
  });
}

/** Works on the broker as its administrator. */
async function atBroker(
  { world }: DrillSystem,
  work: (channel: Awaited<ReturnType<Awaited<ReturnType<typeof connect>>['createChannel']>>) => unknown,
): Promise<void> {
  const connection = await connect(world.system.state().infrastructure.amqpUrl);
  const channel = await connection.createChannel();
  await work(channel);
  await channel.close();
  await connection.close();
}

/** What cannot be broken within a minute: a stand-in serves what the programs would. */
const series = (endsSeconds: number) => `
loop_round_seconds{job="withdrawals",loop="open withdrawals"} 700
facts_missing{job="withdrawals"} 3
facts_compared_timestamp_seconds{job="withdrawals"} 1000
partitions_end_timestamp_seconds{job="withdrawals",table="nonces"} ${String(endsSeconds)}
partitions_end_timestamp_seconds{job="withdrawals",table="published"} ${String(endsSeconds)}
database_clock_ahead_seconds{job="withdrawals"} 41
`;

export const FACT_DRILLS: readonly Drill[] = [
  {
    fault:
      'withdrawals is killed; a stand-in serves series in its place: a round of 700 s, three facts that never came, no comparison since 1970, partitions that end in five minutes, a clock that is 41 s off',
    raises: [
      'LoopHanging ticket',
      'FactsMissing ticket',
      'FactsNotCompared ticket',
      'PartitionsMissing page',
      'PartitionsMissing ticket',
      'ClocksDiffer ticket',
    ],
    async make({ standIn, world }, fired) {
      await world.system.kill('withdrawals', 'SIGKILL');
      standIn.serve(series(Date.now() / 1_000 + 300));
      await untilEnded(fired);
      standIn.serve('');
      await world.system.restart('withdrawals');
    },
  },
  {
    fault: 'a stranger puts a message into the queue of the notifier',
    raises: ['MessagesRefused page', 'DeadLettersWaiting ticket'],
    async make(system, fired) {
      await atBroker(system, (channel) => {
        channel.sendToQueue('notifier.inbox', Buffer.from('{}'), {
          messageId: '00000000-0000-4000-8000-000000000000',
          type: 'payment.completed',
        });
      });
      await untilEnded(fired);
      await system.world.query('delete from notifier.dead_letters');
    },
  },
  {
    fault: 'payments is killed and its exchange deleted',
    raises: ['BrokerTopologyIncomplete page'],
    async make(system, fired) {
      await system.world.system.kill('payments', 'SIGKILL');
      await atBroker(system, (channel) => channel.deleteExchange('payments.facts'));
      await untilEnded(fired);
      await system.world.system.restart('payments');
    },
  },
  {
    fault: 'RabbitMQ stops; a payment is paid, and two minutes pass',
    raises: ['OutboxStuck page'],
    async make({ world, infrastructure }, fired) {
      const payment = await world.create();
      await infrastructure.rabbitControl('stop_app');
      await world.pay(payment, CARDS.approved);
      await world.bank.advanceClock('PT2M');
      await untilEnded(fired);
      await infrastructure.rabbitControl('start_app');
      await world.bank.resetClock();
      await world.told(payment.id);
    },
  },
  {
    fault: 'a session keeps the lock of the claims; a payment is paid',
    raises: ['CallbacksNotSent page'],
    async make(system, fired) {
      const payment = await system.world.create();
      await holdClaims(system, async () => {
        await system.world.pay(payment, CARDS.approved);
        await untilEnded(fired);
      });
    },
  },
  {
    fault: 'a session keeps the lock of the claims, nine seconds of each twelve; payments are paid',
    raises: ['CallbackLagBudgetBurn page', 'CallbackLagBudgetBurn ticket'],
    async make(system, fired) {
      const traffic = startTraffic(system.world, 2);
      await again(CLAIMS_FREE_MS, fired, () =>
        holdClaims(system, () => wait(CLAIMS_HELD_MS, undefined, { signal: fired }).catch(() => undefined)),
      );
      await traffic.end();
    },
  },
  {
    fault: 'a receiver answers 410',
    raises: ['ReceiverNeedsAttention ticket'],
    async make({ world }, fired) {
      world.receiver.onArrival = () => 410;
      await world.pay(await world.create(), CARDS.approved);
      await untilEnded(fired);
      world.receiver.onArrival = () => 200;
    },
  },
  {
    fault: 'an event lies in the log of the notifier whose earlier version never came',
    raises: ['CallbacksBehindGap ticket'],
    async make({ world }, fired) {
      const payment = await world.create();
      await world.pay(payment, CARDS.approved);
      await world.told(payment.id);
      await world.query(
        `insert into notifier.events (event_id, partner_id, type, aggregate_id, aggregate_version, body, recorded_at, status)
         select gen_random_uuid(), partner_id, type, aggregate_id, 9, body, notifier.clock_now() - interval '5 minutes', 'WAITING'
         from notifier.events where aggregate_id = $1 and aggregate_version = 1`,
        [payment.id],
      );
      await world.query('update notifier.aggregates set last_version = 9 where aggregate_id = $1', [payment.id]);
      await untilEnded(fired);
      await world.query('delete from notifier.events where aggregate_id = $1 and aggregate_version = 9', [payment.id]);
      await world.query('update notifier.aggregates set last_version = 1 where aggregate_id = $1', [payment.id]);
    },
  },
];
