import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { sideBySideLoop } from '@pay/shared/service/side-by-side.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { raiseException } from '../../db/reconciliation/exceptions.ts';
import { insertLedgerTransaction } from '../../db/ledger/ledger.ts';
import {
  claimDueReturns,
  endMoneyReturn,
  listRoutesWithDueReturns,
  lockMoneyReturn,
  postponeMoneyReturn,
  returnFence,
  type MoneyReturn,
} from '../../db/money-return/money-returns.ts';
import type { Acquirer, AcquirerRefund } from '../../acquirers/acquirer.ts';
import type { Deps } from '../../deps.ts';
import type { RefundResult } from '../../domain/acquiring/acquirer-result.ts';
import { entriesForReturnedMoney } from '../../domain/ledger/ledger.ts';
import { operationOf } from '../../domain/payment/next-card.ts';
import { pauseMs } from '../../domain/payment/read-back-schedule.ts';
import { BY_ROUTE } from '../acquiring/by-acquiring-route.ts';
import { findAcquirer } from '../acquiring/acquirer-of.ts';

/** About a day with the pauses of `pauseMs`; then an operator takes over. */
const ATTEMPTS_MAX = 36;

/** The worker that returns money without an order to the buyers: late money, or money taken more than once. */
export function returnLateMoneyLoop(deps: Deps): Loop {
  return sideBySideLoop({
    ...BY_ROUTE,
    name: 'return-late-money',
    intervalMs: 5_000,
    log: deps.log,
    parties: () => listRoutesWithDueReturns(deps.db),
    claim: (routeId, limit) => deps.db.transaction((tx) => claimDueReturns(tx, routeId, limit)),
    one: (moneyReturn) =>
      returnOne(deps, moneyReturn).catch((err: unknown) => {
        deps.log.error('late money could not be returned', { paymentId: moneyReturn.paymentId, err });
      }),
  });
}

const NOT_SENT = { kind: 'not-sent' } as const;

/** The first attempt sends. Later ones ask the bank first, because some banks would return the money twice. */
async function send(
  deps: Deps,
  acquirer: Acquirer,
  refund: AcquirerRefund,
  moneyReturn: MoneyReturn,
): Promise<RefundResult> {
  const known = moneyReturn.attemptCount > 1 ? await acquirer.readRefund(refund) : { kind: 'absent' as const };
  return known.kind === 'absent' ? acquirer.refund(refund, returnFence(deps.db, moneyReturn)) : known;
}

/** Refunds with the same operation id each time, so that a repeat after a lost answer cannot refund twice. */
async function returnOne(deps: Deps, moneyReturn: MoneyReturn): Promise<void> {
  const { returnId, paymentId, bankOperationId, amountKopecks, routeId } = moneyReturn;
  const acquirer = await findAcquirer(deps, routeId);
  const refund = {
    operationId: returnId,
    originalOperationId: operationOf(moneyReturn),
    bankOperationId,
    amountKopecks,
  };
  const result = acquirer === undefined ? NOT_SENT : await send(deps, acquirer, refund, moneyReturn);
  if (result.kind === 'fenced') return;
  await inTransaction(deps.db, async (tx) => {
    const current = await lockMoneyReturn(tx, returnId);
    if (current.status !== 'PENDING') return;
    const exact = result.kind === 'confirmed' && result.amountKopecks === amountKopecks && result.currency === 'RUB';
    if (exact) {
      await insertLedgerTransaction(
        tx,
        { kind: 'LATE_SUCCESS_RETURNED', referenceId: returnId },
        entriesForReturnedMoney(routeId, amountKopecks),
      );
      await endMoneyReturn(tx, returnId, 'COMPLETED');
    } else if (result.kind === 'declined' || result.kind === 'confirmed' || current.attemptCount >= ATTEMPTS_MAX) {
      const finding = moneyReturn.why === 'LATE_SUCCESS' ? '' : bankOperationId;
      const subject =
        moneyReturn.why === 'UNKNOWN_ORDER'
          ? { operationId: paymentId, routeId }
          : { paymentId, operationId: operationOf(moneyReturn) };
      await raiseException(tx, { kind: 'RETURN_FAILED', ...subject, finding, bankAmountKopecks: amountKopecks });
      await endMoneyReturn(tx, returnId, 'FAILED');
    } else {
      const now = await clock(tx);
      await postponeMoneyReturn(tx, returnId, new Date(now.getTime() + pauseMs(current.attemptCount - 1)));
    }
  });
}
