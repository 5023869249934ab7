import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CANARY_CVV, CANARY_CVV_ALONE, CARDS, openWorld, type World } from './world.ts';

/**
 * Promise 4 of the design: a card number, expiry or CVV is never in a log, a database row, an event, an error or a URL.
 * The scan reads everything that the whole run left behind, whichever test wrote it.
 */
describe('card data', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
    for (const number of Object.values(CARDS)) {
      const payment = await world.create();
      await world.pay(payment, number).catch(() => 'the 3-D Secure page is elsewhere');
    }
  });
  afterAll(() => world.close());

  const numbers = Object.values(CARDS);
  /** Allows anything between the digits, so that a formatted number is found too. */
  const patterns = numbers.map((number) => new RegExp(Array.from(number).join('[^0-9]?')));
  const leaks = (text: string) => patterns.some((pattern) => pattern.test(text));

  it('is in no log of any process (K02)', () => {
    const files = readdirSync(world.system.logs).map((name) => join(world.system.logs, name));
    expect(files.length).toBeGreaterThanOrEqual(7);
    expect(files.filter((file) => leaks(readFileSync(file, 'utf8')))).toEqual([]);
    const cvv = new RegExp(`"(?:cvv|cvc|csc)"|\\b${CANARY_CVV}\\b.{0,40}cv`, 'i');
    expect(files.filter((file) => cvv.test(readFileSync(file, 'utf8')))).toEqual([]);
  });

  it('is in no table of any schema, the sandbox bank included (K07)', async () => {
    const tables = await world.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    expect(tables.length).toBeGreaterThan(20);
    const found: string[] = [];
    for (const { name } of tables) {
      for (const row of await world.query<{ row: string }>(`select t::text as row from ${name} as t`)) {
        if (leaks(row.row)) found.push(name);
      }
    }
    expect(found).toEqual([]);
  });

  it('is in no callback and in no status', async () => {
    const payment = await world.create();
    await world.pay(payment, CARDS.approved);
    const status = await world.ended(payment.id);
    const { bytes } = await world.told(payment.id);
    expect(leaks(JSON.stringify(status))).toBe(false);
    expect(leaks(bytes)).toBe(false);
  });

  it('is in no address that the form leads to', async () => {
    const payment = await world.create();
    const { url } = await world.pay(payment, CARDS.approved);
    expect(leaks(url)).toBe(false);
    expect(url).not.toMatch(CANARY_CVV_ALONE);
  });
});
