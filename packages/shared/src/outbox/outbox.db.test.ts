import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { countRoundTrips } from '../../../../tools/testing/round-trips.ts';
import { effects } from '../../test/mechanisms-tables.ts';
import { openMechanisms, until, type Mechanisms } from '../../test/mechanisms.ts';
import { openDatabase } from '../postgres/connect/pool.ts';
import { compiledInsert } from '../postgres/fast/compiled.ts';
import { inPipeline } from '../postgres/fast/pipeline.ts';
import { inbox } from '../postgres/schema.ts';
import { OUTBOX_CHANNEL, outboxStatement, outboxStatementAt, wakeRelay } from './outbox.ts';

let t: Mechanisms;
beforeEach(async () => {
  t = await openMechanisms();
});
afterEach(() => t.close());

const insertEffect = compiledInsert(effects);
const message = (name: string) => ({ type: 'thing.made', aggregateId: name, payload: { name } });

it('adds a moment that only the database knows to the row and to the payload', async () => {
  const messageId = randomUUID();
  await t.query(`insert into inbox values ($1, '2026-03-01T15:00:00.010+03')`, [messageId]);
  const ofReceipt = outboxStatementAt(inbox.messageId, (id) => sql`(select received_at from inbox where message_id = ${id})`);
  const known = { ...message('known'), occurredAt: new Date('2026-03-01T12:00:00.020Z') };
  await inPipeline(t.database.db, (tx) => [ofReceipt(tx, messageId, message('told')), outboxStatement(tx, [known])]);
  expect(await t.query('select payload, occurred_at from outbox order by position')).toEqual([
    {
      payload: { name: 'told', occurredAt: '2026-03-01T12:00:00.010Z' },
      occurred_at: new Date('2026-03-01T12:00:00.010Z'),
    },
    { payload: { name: 'known' }, occurred_at: known.occurredAt },
  ]);
});

it('wakes the relay in the round trip of a transaction that is sent as a pipeline', async () => {
  const trips = await countRoundTrips(t.url, 'select pg_notify(');
  // One connection: where the commit took long, the wake that follows it would open another, and count.
  const options = { poolSize: 1, applicationName: 'outbox-test', onIdleError: () => undefined };
  const database = openDatabase({ url: trips.url, ...options });
  const listener = new pg.Client(t.url);
  await listener.connect();
  const heard: string[] = [];
  listener.on('notification', ({ channel }) => heard.push(channel));
  const { rows } = await listener.query<{ schema: string }>('select current_schema() as schema');
  const channel = `${OUTBOX_CHANNEL}.${rows[0]?.schema ?? ''}`;
  await listener.query(`listen ${pg.escapeIdentifier(channel)}`);
  // Opens the connection.
  await database.db.select({ one: sql`1` }).from(sql`(values (1)) as one`);
  trips.take();
  await inPipeline(database.db, (tx) => [outboxStatement(tx, [{ ...message('thing'), occurredAt: new Date() }])]);
  await until(() => heard.length > 0);
  expect({ heard: heard[0], trips: trips.take() }).toEqual({ heard: channel, trips: 1 });
  await listener.end();
  await database.close();
  await trips.close();
});

it('wakes the relay after a commit that waited longer than wakes are combined', async () => {
  const listener = new pg.Client(t.url);
  const holder = new pg.Client(t.url);
  await Promise.all([listener.connect(), holder.connect()]);
  let heard = 0;
  listener.on('notification', () => (heard += 1));
  const { rows } = await listener.query<{ schema: string }>('select current_schema() as schema');
  await listener.query(`listen ${pg.escapeIdentifier(`${OUTBOX_CHANNEL}.${rows[0]?.schema ?? ''}`)}`);
  await holder.query('begin');
  await holder.query('lock table effects');
  const { db, pool } = t.database;
  const wakes = jest.spyOn(pool, 'query');
  let atOnce = 0;
  const sent = inPipeline(db, (tx) => {
    // One of them has a timer set at the latest when the commit's own wake comes, and that is combined with it.
    for (let nth = 0; nth < 10; nth += 1) wakeRelay(pool);
    atOnce = wakes.mock.calls.length;
    return [insertEffect(tx, { name: 'waits' }), outboxStatement(tx, [{ ...message('thing'), occurredAt: new Date() }])];
  });
  // All wakes are gone, the combined one too, and nothing is committed yet.
  await until(() => heard === atOnce + 1);
  await holder.query('rollback');
  await sent;
  await until(() => heard === atOnce + 2);
  expect(await t.query('select name from effects')).toEqual([{ name: 'waits' }]);
  await Promise.all([listener.end(), holder.end()]);
});
