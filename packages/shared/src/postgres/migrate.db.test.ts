import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { emptyDatabase, migrateMechanisms, MIGRATIONS } from '../../test/mechanisms.ts';
import { migrateDatabase } from './migrate.ts';

let database: Awaited<ReturnType<typeof emptyDatabase>>;
beforeAll(async () => {
  database = await emptyDatabase();
});
afterAll(() => database.drop());

describe('migrateDatabase', () => {
  it('applies each migration once, run four times at once and then again', async () => {
    const run = () => migrateMechanisms(database.url);
    await Promise.all([run(), run(), run(), run()]);
    await run();
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const applied = await client.query('select from migrations');
    const tables = await client.query(`select from information_schema.tables where table_schema = $1`, [
      database.schema,
    ]);
    await client.end();
    expect(applied.rowCount).toBe(1);
    expect(tables.rowCount).toBe(11);
  });

  it('fails, and says so, when the database is not there', async () => {
    const nowhere = migrateDatabase({
      url: 'postgres://nobody@127.0.0.1:1/nothing',
      schema: 'x',
      folder: MIGRATIONS,
      environment: 'LIVE',
      role: 'nobody',
      grants: {},
    });
    await expect(nowhere).rejects.toThrow('ECONNREFUSED');
  });
});
