import { randomUUIDv7 } from 'node:crypto';
import type { ProposalKind } from '@pay/contract/operator/states.ts';
import type { Db, Tx } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { insertAction } from '../../db/operator/audit-log.ts';
import { insertProposal, lockProposal, moveProposal, type Proposal } from '../../db/proposal/proposals.ts';
import { whyNotConfirm } from '../../domain/proposal/proposal.ts';

/** A proposal that nobody decided within three days must be made again. */
const OPEN_MS = 72 * 3_600_000;

type Asked = {
  readonly kind: ProposalKind;
  readonly subjectId: string;
  readonly asked: Proposal['asked'];
};

/** Stores what one person proposes for a second one to confirm. Nothing is done yet. */
export async function propose(tx: Tx, by: Operator, { kind, subjectId, asked }: Asked): Promise<Proposal> {
  const proposal = await insertProposal(tx, {
    proposalId: randomUUIDv7(),
    kind,
    subjectId,
    asked,
    status: 'PROPOSED',
    proposedBy: by.login,
    proposerNotIndependentOf: [...by.notIndependentOf],
    expiresAt: new Date((await clock(tx)).getTime() + OPEN_MS),
  });
  await record(tx, by.login, 'propose', { before: null, after: proposal });
  return proposal;
}

/**
 * Marks a proposal as confirmed, in the transaction that carries it out.
 * @throws ApiError 404; 403 for the proposer and anyone not independent of them; 409 STALE_REVISION if it was already
 * decided or has expired
 */
export async function confirmProposal(tx: Tx, by: Operator, proposalId: string): Promise<Proposal> {
  const seen = await lockProposal(tx, proposalId);
  if (seen === undefined) throw new ApiError('NOT_FOUND');
  const why = whyNotConfirm(seen, by, await clock(tx));
  if (why === 'same-person') throw new ApiError('FORBIDDEN', { text: SECOND_PERSON });
  if (why === 'decided') throw stale();
  const confirmed = await moveProposal(tx, proposalId, 'CONFIRMED', by.login);
  await record(tx, by.login, 'confirm', { before: seen, after: confirmed });
  return confirmed;
}

/** Rejects a proposal; anyone may, including the proposer. @throws ApiError 404; 409 STALE_REVISION if it was already decided */
export async function rejectProposal(db: Db, by: Operator, proposalId: string): Promise<Proposal> {
  return inTransaction(db, async (tx) => {
    const seen = await lockProposal(tx, proposalId);
    if (seen === undefined) throw new ApiError('NOT_FOUND');
    if (seen.status !== 'PROPOSED') throw stale();
    const rejected = await moveProposal(tx, proposalId, 'REJECTED', by.login);
    await record(tx, by.login, 'reject', { before: seen, after: rejected });
    return rejected;
  });
}

const SECOND_PERSON = 'this is confirmed by a second person, independent of the one who proposed it';
const stale = () => new ApiError('STALE_REVISION', { text: 'this proposal is decided, or too old' });

type Changed = { readonly before: Proposal | null; readonly after: Proposal };

function withoutBuyer({ customerID: _customerID, ...order }: NonNullable<Proposal['asked']['order']>) {
  return order;
}

/**
 * Leaves out the reason, which may mention a buyer, and the buyer of an order: they stay in the proposal, and are
 * erased with the buyer. See decisions/erasure.
 */
async function record(tx: Tx, operator: OperatorLogin, verb: string, { before, after }: Changed): Promise<void> {
  const { proposalId, kind, subjectId } = after;
  const { reason: _reason, order, ...asked } = after.asked;
  await insertAction(tx, {
    operator,
    action: `${kind.toLowerCase()}.${verb}`,
    subjectId,
    before: before === null ? null : { status: before.status, proposedBy: before.proposedBy },
    after: {
      status: after.status,
      proposalId,
      asked: order === undefined ? asked : { ...asked, order: withoutBuyer(order) },
    },
  });
}
