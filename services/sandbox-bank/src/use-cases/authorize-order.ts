import { randomUUID } from 'node:crypto';
import type { Tx } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { appendHistory } from '../db/history.ts';
import { insertSavedCard } from '../db/saved-cards.ts';
import type { Deps } from '../deps.ts';
import {
  authenticate,
  eciOf,
  THREE_DS_VERSION,
  type Authentication,
  type TransStatus,
  type WhenNotAuthenticated,
} from '../domain/authentication.ts';
import { cardTraits, type CardDetails, type CardTraits } from '../domain/card.ts';
import type { Answer, Operation } from '../domain/operation.ts';
import { decideAuthorization, type Verdict } from '../domain/outcome.ts';
import { lockCurrent, move } from './current-operation.ts';

export type AuthorizeOrder = {
  readonly operationId: string;
  readonly card: CardDetails;
  readonly saveCard: boolean;
  readonly whenNotAuthenticated: WhenNotAuthenticated;
  readonly threeDsCompInd: 'Y' | 'N' | 'U';
  /** The merchant sent what EMV requires about the buyer's browser. */
  readonly isBrowserKnown: boolean;
};

/** An operation, and whether the caller gets an answer. */
export type Answered = { readonly operation: Operation; readonly answer: Answer };

/**
 * POST /v1/orders/{operationId}/authorize. Only a REGISTERED order is decided, under its row lock: a second call,
 * concurrent or later, finds it decided and gets its state.
 */
export async function authorizeOrder(deps: Deps, command: AuthorizeOrder): Promise<Answered> {
  const { operationId } = command;
  return inTransaction(deps.db, async (tx) => {
    const now = await clock(tx);
    const order = await lockCurrent(tx, operationId, now);
    if (order.kind !== 'ORDER' || order.method !== 'CARD') {
      throw new ApiError('STALE_REVISION', { text: 'only a card order can be authorized' });
    }
    await appendHistory(tx, operationId, [{ event: 'REQUESTED', detail: 'authorize' }]);
    if (order.status !== 'REGISTERED') return { operation: order, answer: 'GIVEN' };

    const card = cardTraits(command.card);
    // The issuer trusts only what it has seen itself, together with matching data.
    const isBrowserSeen = order.threeDsMethodRan && command.threeDsCompInd === 'Y' && command.isBrowserKnown;
    const transStatus = authenticate(card, isBrowserSeen);
    const verdict = decideAuthorization(card, order, now, { transStatus, whenNotAuthenticated: command.whenNotAuthenticated });
    const operation = await move(tx, order, verdict.move, {
      ...authenticationOf(card, order, transStatus),
      approvesAt: verdict.approvesAt,
      cardMask: card.mask,
      cardExpiry: card.expiry,
      cardToken: command.saveCard ? await saveCard(tx, deps, card, verdict) : null,
      threeDsId: verdict.move.to === 'THREE_DS_REQUIRED' ? deps.newId() : null,
    });
    if (verdict.answer === 'WITHHELD') await appendHistory(tx, operationId, [{ event: 'ANSWER_WITHHELD' }]);
    return { operation, answer: verdict.answer };
  });
}

/** The issuer's authentication result; nothing for a number that no issuer has. */
function authenticationOf(card: CardTraits, order: Operation, transStatus: TransStatus): Partial<Authentication> {
  if (card.outcome === null) return {};
  return {
    threeDsVersion: THREE_DS_VERSION,
    transStatus,
    eci: eciOf(transStatus, card.mask),
    threeDsServerTransId: order.threeDsServerTransId ?? randomUUID(),
    dsTransId: randomUUID(),
    acsTransId: randomUUID(),
  };
}

/** Issues a token if money was taken, or may yet be. It is returned only with an APPROVED order. */
async function saveCard(tx: Tx, deps: Deps, card: CardTraits, verdict: Verdict): Promise<string | null> {
  if (card.outcome === null || verdict.move.to === 'DECLINED') return null;
  const token = deps.newId();
  await insertSavedCard(tx, token, { mask: card.mask, expiry: card.expiry, outcome: card.outcome });
  return token;
}
