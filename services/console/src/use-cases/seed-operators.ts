import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { findOperator } from '../db/operators.ts';
import { insertWithPassword, type HashPassword, type NewOperator } from './manage-operators.ts';

/** Creates people who do not exist yet. TEST only: their passwords are known. */
export async function seedOperators(
  db: Db,
  people: readonly (NewOperator & { readonly password: string })[],
  hash: HashPassword,
): Promise<void> {
  for (const person of people) {
    if ((await findOperator(db, person.login)) !== undefined) continue;
    const passwordHash = await hash(person.password);
    await inTransaction(db, (tx) => insertWithPassword(tx, person, passwordHash));
  }
}
