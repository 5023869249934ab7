import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'drizzle-orm';
import { openMechanisms, type Mechanisms } from '../../test/mechanisms.ts';
import { inKnownTransaction } from './transaction.ts';

let t: Mechanisms;
beforeEach(async () => {
  t = await openMechanisms();
  // In front of PostgreSQL's own: the number of this test's transaction is that of one that was committed, and the
  // timeline can move, as when a standby is promoted that never got the one and gave its number to the other.
  await t.query(`alter database ${new URL(t.url).pathname.slice(1)} set search_path = mechanisms, pg_catalog`);
  await t.query(`
    create table mechanisms.timeline as select '00000001' as name;
    create function mechanisms.pg_walfile_name(pg_lsn) returns text language sql as
      'select name || ''0000000000000001'' from mechanisms.timeline';
    create function mechanisms.pg_xact_status(xid8) returns text language sql as 'select ''committed''';
    create function mechanisms.break_off() returns trigger language plpgsql as
      'begin perform pg_terminate_backend(pg_backend_pid()); return null; end';
    create table mechanisms.broken (id int);
    create constraint trigger breaks after insert on mechanisms.broken deferrable initially deferred
      for each row execute function mechanisms.break_off();
  `);
});
afterEach(() => t.close());

/** A transaction whose COMMIT gets no answer. */
const brokenAtCommit = (meanwhile: () => Promise<unknown>) =>
  inKnownTransaction(t.database.db, async (tx) => {
    await tx.execute(sql`insert into broken values (1)`);
    await meanwhile();
    return 'done';
  });

describe('a COMMIT without an answer', () => {
  it('is done if the same server says that it was committed', async () => {
    expect(await brokenAtCommit(() => Promise.resolve())).toBe('done');
  });

  it('is not believed to be done if a standby was promoted: its number may be another transaction’s', async () => {
    const promoted = brokenAtCommit(() => t.query(`update mechanisms.timeline set name = '00000002'`));
    await expect(promoted).rejects.toThrow('Connection terminated');
  });
});
