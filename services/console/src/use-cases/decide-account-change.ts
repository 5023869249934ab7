import { randomBytes, randomUUID } from 'node:crypto';
import type { Db, Tx } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import {
  administratorsAmong,
  decideStoredChange,
  expireChanges,
  findChange,
  lockAccountChanges,
  notIndependentOf,
  type AccountChange,
} from '../db/account-changes.ts';
import {
  deleteSecondFactor,
  deleteSessions,
  insertOperator,
  insertPassword,
  lockOperator,
  replacePassword,
  startFirstPassword,
  updateOperator,
  type Operator,
} from '../db/operators.ts';
import { decideChange } from '../domain/account-change.ts';
import { appendAccountAudit, type By } from './account-audit.ts';
import { stateOf, type HashPassword } from './manage-operators.ts';
import { stateOfChange } from './propose-account-change.ts';

/** Who decides, with their account id, since changes to their account affect their independence. */
type Decider = By & { readonly operatorId: string };

export type Decided =
  | { readonly kind: 'done'; readonly change: AccountChange; readonly password: string | null }
  /** It was already decided, or has expired. */
  | { readonly kind: 'stale'; readonly change: AccountChange };

type Decision = { readonly id: string; readonly to: 'CONFIRMED' | 'REJECTED' };
type FirstPassword = { readonly password: string; readonly hash: string };

/**
 * Confirms what another administrator proposed, which changes the account and ends its sessions, or rejects it. A
 * resulting first password is returned once, to the person who confirms; only its hash is stored.
 * @throws ApiError 404; 403 for the proposer, the account's owner, and anyone not independent of the proposer
 */
export async function decideAccountChange(db: Db, by: Decider, { id, to }: Decision, hash: HashPassword): Promise<Decided> {
  // Hashing takes a tenth of a second: it is done before others have to wait for the lock.
  const first = await newPassword(hash);
  return inTransaction(db, async (tx) => {
    await lockAccountChanges(tx);
    await expireChanges(tx);
    const seen = await findChange(tx, id);
    if (seen === undefined) throw new ApiError('NOT_FOUND');
    const decision = decideChange(await proposalOf(tx, seen), to, {
      login: by.login,
      notIndependentOf: await notIndependentOf(tx, by.operatorId),
    });
    if (decision.kind === 'refused') throw new ApiError('FORBIDDEN', { text: decision.text });
    if (decision.kind === 'decided') return { kind: 'stale', change: seen };
    const change = await decideStoredChange(tx, id, to, by.login);
    return { kind: 'done', change, password: await carryOut(tx, by, change, first) };
  });
}

async function newPassword(hash: HashPassword): Promise<FirstPassword> {
  const password = randomBytes(18).toString('base64url');
  return { password, hash: await hash(password) };
}

/** Applies the decision, with its audit row. Returns the first password, if there is one. */
async function carryOut(tx: Tx, by: By, change: AccountChange, first: FirstPassword): Promise<string | null> {
  const { login, status } = change;
  const audited = { action: 'operators.confirm', login } as const;
  if (status !== 'CONFIRMED') {
    await appendAccountAudit(tx, by, { ...audited, before: null, after: stateOfChange(change) });
    return null;
  }
  const { before, after, hasFirstPassword } = await apply(tx, change, first.hash);
  const states = {
    before: before === undefined ? null : stateOf(before),
    after: { ...stateOfChange(change), account: stateOf(after) },
  };
  await appendAccountAudit(tx, by, { ...audited, ...states });
  return hasFirstPassword ? first.password : null;
}

async function proposalOf(tx: Tx, { status, login, proposedBy }: AccountChange) {
  const isProposerAdmin = (await administratorsAmong(tx, [proposedBy])).length > 0;
  return { status, login, proposedBy, isProposerAdmin };
}

type Applied = { readonly before?: Operator; readonly after: Operator; readonly hasFirstPassword: boolean };

async function apply(tx: Tx, change: AccountChange, passwordHash: string): Promise<Applied> {
  if (change.kind === 'create') return create(tx, change, passwordHash);
  const before = await lockOperator(tx, change.login);
  if (before === undefined) throw new ApiError('NOT_FOUND');
  await deleteSessions(tx, before.id);
  switch (change.kind) {
    case 'role':
      return { before, after: await updateOperator(tx, before.id, { role: change.role ?? before.role }), ...KEEPS };
    case 'enable':
      return { before, after: await updateOperator(tx, before.id, { disabledAt: null }), ...KEEPS };
    case 'reset-second-factor':
      await deleteSecondFactor(tx, before.id);
      return { before, after: await updateOperator(tx, before.id, { twoFactorEnabled: false }), ...KEEPS };
    case 'new-password':
      await replacePassword(tx, before.id, passwordHash);
      return { before, after: await startFirstPassword(tx, before.id), hasFirstPassword: true };
  }
}

const KEEPS = { hasFirstPassword: false } as const;

async function create(tx: Tx, change: AccountChange, passwordHash: string): Promise<Applied> {
  const { login, name, role, signIn } = change;
  if (name === null || role === null) throw new Error('a proposal for a new operator has their name and role');
  const made = await insertOperator(tx, { id: randomUUID(), email: login, emailVerified: true, name, role });
  if (made === undefined) throw invalidField('login', 'is already taken');
  if (signIn === 'company') return { after: made, ...KEEPS };
  await insertPassword(tx, randomUUID(), made.id, passwordHash);
  return { after: await startFirstPassword(tx, made.id), hasFirstPassword: true };
}
