import { randomBytes } from 'node:crypto';
import type { Db, Tx } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { countAdministrators, lockAccountChanges } from '../db/account-changes.ts';
import {
  deleteSecondFactor,
  deleteSessions,
  lockOperator,
  replacePassword,
  startFirstPassword,
  updateOperator,
  type Operator,
} from '../db/operators.ts';
import { appendAccountAudit, SERVER } from './account-audit.ts';
import { insertWithPassword, stateOf, type HashPassword } from './manage-operators.ts';

type Person = { readonly login: string; readonly name: string };
type Appointed = { readonly login: string; readonly password: string };

/**
 * Makes these people administrators, each with a first password: new people, or existing ones who cannot sign in. Works
 * only while fewer than two administrators can sign in, since two decide on each other's accounts.
 * @throws Error if two can sign in, or the number of people is not exactly the missing one
 */
export async function appointAdministrators(db: Db, people: readonly Person[], hash: HashPassword): Promise<readonly Appointed[]> {
  const appointed = await Promise.all(
    people.map(async (person) => {
      const password = randomBytes(18).toString('base64url');
      return { ...person, password, hash: await hash(password) };
    }),
  );
  return inTransaction(db, async (tx) => {
    await lockAccountChanges(tx);
    const missing = 2 - (await countAdministrators(tx));
    if (missing <= 0) throw new Error('two administrators can sign in; they create others on the Operators page');
    if (people.length !== missing) throw new Error(`pass exactly ${String(missing)}: so many are missing of two administrators`);
    for (const one of appointed) await appoint(tx, one, one.hash);
    return appointed.map(({ login, password }) => ({ login, password }));
  });
}

async function appoint(tx: Tx, { login, name }: Person, passwordHash: string): Promise<void> {
  const before = await lockOperator(tx, login);
  const after = before === undefined ? await create(tx, { login, name }, passwordHash) : await readmit(tx, before, passwordHash);
  const states = { before: before === undefined ? null : stateOf(before), after: stateOf(after) };
  await appendAccountAudit(tx, SERVER, { action: 'operators.confirm', login, ...states });
}

async function create(tx: Tx, person: Person, passwordHash: string): Promise<Operator> {
  const made = await insertWithPassword(tx, { ...person, role: 'admin' }, passwordHash);
  if (made === undefined) throw new Error(`${person.login} was created in the meantime`);
  return startFirstPassword(tx, made.id);
}

async function readmit(tx: Tx, seen: Operator, passwordHash: string): Promise<Operator> {
  if (seen.role === 'admin' && seen.disabledAt === null) throw new Error(`${seen.email} can sign in; disable the account first`);
  await deleteSessions(tx, seen.id);
  await deleteSecondFactor(tx, seen.id);
  await replacePassword(tx, seen.id, passwordHash);
  await updateOperator(tx, seen.id, { role: 'admin', disabledAt: null, twoFactorEnabled: false });
  return startFirstPassword(tx, seen.id);
}
