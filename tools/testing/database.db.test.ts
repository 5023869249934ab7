import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'amqplib';
import { withClient } from '../infrastructure/provision.ts';
import { createTestBroker, createTestDatabase, type TestBroker, type TestDatabase } from './database.ts';

describe('a test database', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase('console');
  });
  afterAll(() => database.drop());

  it("lets the owner make tables in the service's schema, which is its search path; the service finds its own there", async () => {
    const rows = await withClient(database.ownerUrl, async (client) => {
      await client.query('create table mine (id int)');
      const found = await client.query<{ schemaname: string }>(`select schemaname from pg_tables where tablename = 'mine'`);
      return found.rows;
    });
    expect(rows).toEqual([{ schemaname: 'console' }]);
    await withClient(database.url, (client) => client.query('select from audit'));
  });

  it("keeps a service's role out of another's schema and of the public one", async () => {
    await withClient(database.urls.gateway, async (client) => {
      await expect(client.query('create table console.theirs (id int)')).rejects.toMatchObject({ code: '42501' });
      await expect(client.query('create table public.theirs (id int)')).rejects.toMatchObject({ code: '42501' });
    });
  });

  it('is apart from the next one', async () => {
    const other = await createTestDatabase('console');
    try {
      const { rowCount } = await withClient(other.adminUrl, (client) => client.query(`select from pg_tables where tablename = 'mine'`));
      expect(rowCount).toBe(0);
    } finally {
      await other.drop();
    }
  });
});

describe('a test broker', () => {
  let broker: TestBroker;
  beforeAll(async () => {
    broker = await createTestBroker();
  });
  afterAll(() => broker.drop());

  it('takes quorum queues and persistent messages', async () => {
    const connection = await connect(broker.url);
    try {
      const channel = await connection.createConfirmChannel();
      await channel.assertQueue('q', { durable: true, arguments: { 'x-queue-type': 'quorum' } });
      channel.sendToQueue('q', Buffer.from('hello'), { persistent: true });
      await channel.waitForConfirms();
      const message = await channel.get('q', { noAck: true });
      expect(message === false ? undefined : message.content.toString()).toBe('hello');
    } finally {
      await connection.close();
    }
  });
});
