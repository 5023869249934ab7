import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { appendHistory } from '../db/history.ts';
import { insertOperation } from '../db/operations.ts';
import { findSavedCard } from '../db/saved-cards.ts';
import type { Deps } from '../deps.ts';
import { decideCharge } from '../domain/outcome.ts';
import type { Answered } from './authorize-order.ts';
import { lockCurrent, move } from './current-operation.ts';
import { fingerprint, requireSameRequest } from './fingerprint.ts';

export type ChargeCard = {
  readonly operationId: string;
  readonly amountKopecks: bigint;
  readonly currency: string;
  readonly description: string;
  readonly cardToken: string;
};

/** POST /v1/charges. The insert of the operation can succeed only once: a repeat gets the charge's current state. */
export async function chargeCard(deps: Deps, command: ChargeCard): Promise<Answered> {
  const { operationId, amountKopecks, currency, description, cardToken } = command;
  const requestSha256 = fingerprint('CHARGE', [amountKopecks, currency, description, cardToken]);
  return inTransaction(deps.db, async (tx) => {
    const now = await clock(tx);
    const card = await findSavedCard(tx, cardToken);
    const created = await insertOperation(tx, {
      operationId,
      amountKopecks,
      currency,
      description,
      bankOperationId: deps.newId(),
      kind: 'CHARGE',
      method: 'CARD',
      status: 'REGISTERED',
      cardMask: card?.mask ?? null,
      cardExpiry: card?.expiry ?? null,
      requestSha256,
    });
    const charge = created ?? (await lockCurrent(tx, operationId, now));
    requireSameRequest(charge, requestSha256);
    await appendHistory(tx, operationId, [{ event: 'REQUESTED', detail: 'charge' }]);
    if (created === undefined) return { operation: charge, answer: 'GIVEN' };

    const verdict = decideCharge(card, amountKopecks, now);
    const operation = await move(tx, charge, verdict.move);
    if (verdict.answer === 'WITHHELD') await appendHistory(tx, operationId, [{ event: 'ANSWER_WITHHELD' }]);
    return { operation, answer: verdict.answer };
  });
}
