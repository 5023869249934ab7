import type pg from 'pg';

/** What sends a statement: the pool, or the connection of a transaction. */
export type Client = pg.Pool | pg.ClientBase;

const clients = new WeakMap<object, Client>();

/** Records through which client `on` sends its statements: the pool's Db or a transaction. */
export function setClientOf(on: object, client: Client): void {
  clients.set(on, client);
}

/** @throws TypeError if `on` is neither a Db of `openDatabase` nor one of its transactions */
export function clientOf(on: object): Client {
  const client = clients.get(on);
  if (client === undefined) throw new TypeError('a compiled statement needs a Db of openDatabase(), or its transaction');
  return client;
}
