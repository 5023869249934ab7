import { randomUUIDv7 } from 'node:crypto';
import type { Db, Reader, Tx } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { renderRub, renderUsdt } from '@pay/shared/money/money.ts';
import { insertFunding, listFundings, lockFunding, moveFunding, type Funding, type FundingFilter } from '../db/fundings.ts';
import { bookFunding } from '../db/ledger.ts';
import { appendAudit } from '../db/audit-log.ts';
import { findStore, type Store } from '../db/stores.ts';
import { decideFunding, isCounterpart } from '../domain/funding.ts';

export type { Funding, FundingFilter } from '../db/fundings.ts';

export type FundingProposal = {
  readonly storeId: string;
  readonly amountMicroUsdt: bigint;
  readonly amountKopecks: bigint;
  /** RUB per USDT, in millionths. */
  readonly rateMicroRub: bigint;
  readonly reference: string;
};

/**
 * Proposes to credit a store for a settlement. No money moves yet.
 * @throws ApiError 404 for an unknown store; 400 for a counterpart that is not the amount at the rate, or a reference
 * already used
 */
export async function proposeFunding(db: Db, operator: Operator, proposal: FundingProposal): Promise<Funding> {
  return inTransaction(db, async (tx) => {
    const funding = await insertProposal(tx, operator, proposal);
    if (funding === undefined) throw invalidField('reference', 'has already been used for another funding');
    return funding;
  });
}

/** Inserts the proposal and its audit row; undefined if a proposal with this reference is open or confirmed. */
export async function insertProposal(tx: Tx, operator: Operator, proposal: FundingProposal): Promise<Funding | undefined> {
  const { storeId, amountMicroUsdt, rateMicroRub, amountKopecks } = proposal;
  const { partnerId } = await storeOf(tx, storeId);
  if (!isCounterpart(amountMicroUsdt, rateMicroRub, amountKopecks))
    throw invalidField('amountRub', 'must be amountUsdt at this rate, to the kopeck');
  const fundingId = randomUUIDv7();
  const funding = await insertFunding(tx, {
    fundingId,
    ...proposal,
    status: 'PROPOSED',
    proposedBy: operator.login,
    proposerNotIndependentOf: [...operator.notIndependentOf],
  });
  if (funding === undefined) return undefined;
  const subject = { subjectId: fundingId, partnerId };
  await appendAudit(tx, {
    operator: operator.login,
    action: 'funding.propose',
    ...subject,
    before: null,
    after: auditState(funding),
  });
  return funding;
}

/** `stale`: somebody has already decided it. */
export type FundingOutcome = { readonly kind: 'done' | 'stale'; readonly funding: Funding };

/**
 * Confirms a proposal, which credits the store, or rejects it: decision, ledger, balance and audit row together.
 * @throws ApiError 404; 403 for the operator who proposed it
 */
export async function decideOnFunding(
  db: Db,
  operator: Operator,
  fundingId: string,
  to: 'CONFIRMED' | 'REJECTED',
): Promise<FundingOutcome> {
  return inTransaction(db, (tx) => decideProposal(tx, operator, fundingId, to));
}

/** `decideOnFunding` inside the caller's transaction. */
export async function decideProposal(tx: Tx, operator: Operator, fundingId: string, to: 'CONFIRMED' | 'REJECTED'): Promise<FundingOutcome> {
  const seen = await lockFunding(tx, fundingId);
  if (seen === undefined) throw new ApiError('NOT_FOUND');
  const decision = decideFunding(seen, to, operator);
  if (decision.kind === 'move') return { kind: 'done', funding: await moveAndBook(tx, operator, seen, decision.to) };
  if (decision.reason === 'decided') return { kind: 'stale', funding: seen };
  throw new ApiError('FORBIDDEN', {
    text: 'a funding must be confirmed by a second person, independent of the one who proposed it',
  });
}

async function moveAndBook(tx: Tx, operator: Operator, seen: Funding, to: Funding['status']): Promise<Funding> {
  const { fundingId, storeId, amountMicroUsdt } = seen;
  const funding = await moveFunding(tx, fundingId, to, operator.login);
  if (to === 'CONFIRMED') await bookFunding(tx, { referenceId: fundingId, storeId, amountMicroUsdt });
  const { partnerId } = await storeOf(tx, storeId);
  const action = to === 'CONFIRMED' ? 'funding.confirm' : 'funding.reject';
  const states = { before: auditState(seen), after: auditState(funding) };
  await appendAudit(tx, { operator: operator.login, action, subjectId: fundingId, partnerId, ...states });
  return funding;
}

/** Newest first. */
export async function readFundings(reader: Reader, filter: FundingFilter, limit: number): Promise<Funding[]> {
  return listFundings(reader, filter, limit);
}

async function storeOf(tx: Tx, storeId: string): Promise<Store> {
  const store = await findStore(tx, storeId);
  if (store === undefined) throw new ApiError('NOT_FOUND');
  return store;
}

function auditState(funding: Funding) {
  const { status, storeId, reference } = funding;
  const amounts = { amountUsdt: renderUsdt(funding.amountMicroUsdt), amountRub: renderRub(funding.amountKopecks) };
  return { status, storeId, ...amounts, rate: renderUsdt(funding.rateMicroRub), reference };
}
