import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/database.ts';
import { memoryEventStore, type EventReceipt, type EventStore } from './event-store.ts';
import { CALLBACK_EVENTS_SQL, postgresEventStore } from './postgres-event-store.ts';

let database: TestDatabase;
let pool: pg.Pool;
beforeAll(async () => {
  database = await createTestDatabase('console');
  pool = new pg.Pool({ connectionString: database.ownerUrl });
  await pool.query(CALLBACK_EVENTS_SQL);
});
beforeEach(() => pool.query('truncate callback_events'));
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const receipt = (eventId: string, aggregateVersion: number, aggregateId = 'payment:1'): EventReceipt => ({
  eventId,
  aggregateId,
  aggregateVersion,
});

/** What every store must do, whatever its storage. */
describe.each([
  ['memory', () => memoryEventStore() as EventStore<unknown>],
  ['PostgreSQL', () => postgresEventStore(pool) as EventStore<unknown>],
])('an event store in %s', (_name, open) => {
  const applied: string[] = [];
  const apply = (eventId: string) => () => {
    applied.push(eventId);
    return Promise.resolve();
  };
  beforeEach(() => {
    applied.length = 0;
  });

  it('applies an event once, also when it comes ten times at once', async () => {
    const store = open();
    const receipts = await Promise.all(Array.from({ length: 10 }, () => store.receive(receipt('e-1', 1), apply('e-1'))));
    expect(receipts.filter((one) => one === 'applied')).toHaveLength(1);
    expect(receipts.filter((one) => one === 'repeat')).toHaveLength(9);
    expect(applied).toEqual(['e-1']);
  });

  it('ignores a version lower than one applied, and remembers it as received', async () => {
    const store = open();
    expect(await store.receive(receipt('e-2', 2), apply('e-2'))).toBe('applied');
    expect(await store.receive(receipt('e-1', 1), apply('e-1'))).toBe('older');
    expect(await store.receive(receipt('e-1', 1), apply('e-1'))).toBe('repeat');
    expect(applied).toEqual(['e-2']);
  });

  it('counts each payment for itself', async () => {
    const store = open();
    await store.receive(receipt('e-2', 2), apply('e-2'));
    expect(await store.receive(receipt('f-1', 1, 'payment:2'), apply('f-1'))).toBe('applied');
  });

  it('remembers nothing of an event that could not be applied', async () => {
    const store = open();
    await expect(store.receive(receipt('e-1', 1), () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await store.receive(receipt('e-1', 1), apply('e-1'))).toBe('applied');
  });
});

it('PostgreSQL: what was done on the connection goes with the event', async () => {
  await pool.query('create table orders (id text primary key)');
  const store = postgresEventStore<pg.PoolClient>(pool);
  const paid = async (tx: pg.PoolClient) => {
    await tx.query(`insert into orders values ('A-1')`);
    throw new Error('the process dies');
  };
  await expect(store.receive(receipt('e-1', 1), paid)).rejects.toThrow('the process dies');
  expect((await pool.query('select * from orders')).rowCount).toBe(0);
  expect((await pool.query('select * from callback_events')).rowCount).toBe(0);
});
