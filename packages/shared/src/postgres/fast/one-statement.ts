import type { NodePgDatabase } from 'drizzle-orm/node-postgres';
import type { Db } from '../db.ts';
import { repeatOnConflict } from '../retry.ts';

/** What writes with one statement. A function that takes it can be given a transaction as well. */
export type Writer = Pick<NodePgDatabase, 'insert' | 'update' | 'delete'>;

const writers = new WeakMap<Db, Writer>();

/** Lets `inOneStatement` write through `writer`. */
export function allowOneStatement(db: Db, writer: Writer): void {
  writers.set(db, writer);
}

/**
 * Writes with one statement that is a transaction by itself: `begin` and `commit` would be two more round trips. Whatever
 * must hold stands in the statement. Repeated as `inTransaction` is. Await one statement in `write`, and nothing else.
 */
export function inOneStatement<T>(db: Db, write: (writer: Writer) => Promise<T>): Promise<T> {
  const writer = writerOf(db);
  return repeatOnConflict(() => write(writer));
}

/** What writes each statement as a transaction by itself. @throws TypeError if `db` is not of `openDatabase` */
export function writerOf(db: Db): Writer {
  const writer = writers.get(db);
  if (writer === undefined) throw new TypeError('this Db was not opened by openDatabase()');
  return writer;
}
