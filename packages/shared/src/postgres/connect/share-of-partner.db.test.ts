import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { openMechanisms, type Mechanisms } from '../../../test/mechanisms.ts';
import { notePartner, withRequestContext } from '../../logging/request-context.ts';
import { inTransaction } from '../transaction.ts';
import { openDatabase, type Database } from './pool.ts';
import { shareWithPartners } from './share-of-partner.ts';

let t: Mechanisms;
let database: Database;
beforeEach(async () => {
  t = await openMechanisms();
  database = openDatabase({ url: t.url, applicationName: 'shared', poolSize: 10, onIdleError: () => undefined });
});
afterEach(async () => {
  await database.close();
  await t.close();
});

const by = <T>(partner: string, work: () => Promise<T>) =>
  withRequestContext({ requestId: randomUUID() }, () => {
    notePartner(partner);
    return work();
  });
const one = () => database.pool.query<{ one: number }>('select 1 as one');

it('one partner holds a third of the pool, and the others go on meanwhile (N3)', async () => {
  const released = Promise.withResolvers<undefined>();
  let inside = 0;
  const held = Array.from({ length: 30 }, () =>
    by('greedy', () =>
      inTransaction(database.db, async (tx) => {
        await tx.execute(sql`select 1`);
        inside += 1;
        await released.promise;
      }),
    ),
  );
  // Somebody else's call, on a connection that is opened after those of the first three.
  while (inside < 3) await by('modest', one);
  expect((await by('modest', one)).rows).toEqual([{ one: 1 }]);
  // A loop is nobody's call.
  expect((await one()).rows).toEqual([{ one: 1 }]);
  expect([inside, database.pool.waitingCount]).toEqual([3, 0]);
  released.resolve(undefined);
  await Promise.all(held);
  expect(inside).toBe(30);
});

it('a place is free again after a statement that failed, and after a connection that could not be opened (N3)', async () => {
  for (let count = 0; count < 5; count += 1) {
    await expect(by('unlucky', () => database.pool.query('select 1 / 0'))).rejects.toThrow();
    await expect(by('unlucky', () => inTransaction(database.db, () => Promise.reject(new Error('no'))))).rejects.toThrow('no');
  }
  expect((await by('unlucky', one)).rows).toHaveLength(1);
  const nowhere = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', applicationName: 'nowhere', onIdleError: () => undefined });
  for (let count = 0; count < 5; count += 1)
    await expect(by('unlucky', () => nowhere.pool.query('select 1'))).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await nowhere.close();
});

it('who waits too long for a place is told that the database is busy, and the place is free later (N3)', async () => {
  const pool = new pg.Pool({ connectionString: t.url, max: 3 });
  shareWithPartners(pool, 20);
  const holder = await by('slow', () => pool.connect());
  await expect(by('slow', () => pool.query('select 1'))).rejects.toThrow('timeout exceeded when trying to connect');
  holder.release();
  expect((await by('slow', () => pool.query('select 1'))).rows).toHaveLength(1);
  await pool.end();
});
