import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, it } from '@jest/globals';
import pg from 'pg';
import { isAway } from './errors.ts';

const protocolViolation = (message: string): pg.DatabaseError =>
  Object.assign(new pg.DatabaseError(message, 0, 'error'), { code: '08P01' });

it.each([
  ['PgBouncer that cannot log in', 'server login has been failing, cached error: connect failed (server_login_retry)'],
  ['PgBouncer whose session with PostgreSQL broke', 'server conn crashed?'],
  ['PgBouncer that had no session in time', 'query_wait_timeout'],
  ['PgBouncer with too many clients', 'no more connections allowed (max_client_conn)'],
])('the database is away: %s, also as the cause of what drizzle throws', (_who, message) => {
  expect(isAway(new Error('Failed query: select 1', { cause: protocolViolation(message) }))).toBe(true);
});

it('a violation of the protocol that PostgreSQL reports is a bug, not a database that is away', () => {
  const message = 'bind message supplies 1 parameters, but prepared statement "s" requires 6';
  expect(isAway(protocolViolation(message))).toBe(false);
});

it('a server that accepts a connection and says nothing is a database that is away', async () => {
  const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const client = new pg.Client({ host: '127.0.0.1', port, connectionTimeoutMillis: 20 });
    client.on('error', () => undefined);
    const error: unknown = await client.connect().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(isAway(error)).toBe(true);
  } finally {
    server.close();
    await once(server, 'close');
  }
});
