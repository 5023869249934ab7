import type { Tx } from '@pay/shared/postgres/db.ts';
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
import { findPayment } from '../../db/payment/payments.ts';
import type { Acquirer, AcquirerRefund } from '../../acquirers/acquirer.ts';
import type { Deps } from '../../deps.ts';
import type { RefundResult } from '../../domain/acquiring/acquirer-result.ts';
import { entriesForReturnedMoney } from '../../domain/ledger/ledger.ts';
import { operationOf } from '../../domain/payment/next-card.ts';
import { pauseMs } from '../../domain/payment/read-back-schedule.ts';
import { BY_ROUTE } from '../acquiring/by-acquiring-route.ts';
import { UNKNOWN_ORDER_RETURN_FAILED } from '../../domain/reconciliation/reconciliation.ts';
import { findAcquirer } from '../acquiring/acquirer-of.ts';
import { wayOfOrder } from '../order/way-of-order.ts';
import { replaceReturn } from './book-returned.ts';
import { readReturned, type Returned } from './read-returned.ts';

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
async function send(deps: Deps, acquirer: Acquirer, refund: AcquirerRefund, moneyReturn: MoneyReturn): Promise<RefundResult> {
  const known = moneyReturn.attemptCount > 1 ? await acquirer.readRefund(refund) : { kind: 'absent' as const };
  return known.kind === 'absent' ? acquirer.refund(refund, returnFence(deps.db, moneyReturn)) : known;
}

/** Refunds with the same operation id each time, so that a repeat after a lost answer cannot refund twice. */
async function returnOne(deps: Deps, moneyReturn: MoneyReturn): Promise<void> {
  const { returnId, paymentId, bankOperationId, amountKopecks, routeId } = moneyReturn;
  const acquirer = await findAcquirer(deps, routeId);
  const originalOperationId = operationOf(moneyReturn);
  const payment = await findPayment(deps.db, paymentId);
  const refund = {
    operationId: returnId,
    originalOperationId,
    bankOperationId,
    amountKopecks,
    paidBy: payment === undefined ? 'UNKNOWN' : wayOfOrder(payment, originalOperationId),
    // What a refusal means is found out by reading the order (`readReturned`).
    isRepeat: false,
    money: { paid: amountKopecks, returned: 0n, underWay: 0n, isAccepted: false },
  } as const;
  const result = acquirer === undefined ? NOT_SENT : await send(deps, acquirer, refund, moneyReturn);
  if (result.kind === 'fenced') return;
  const returned = result.kind === 'declined' && acquirer !== undefined ? await readReturned(deps, acquirer, moneyReturn) : undefined;
  await inTransaction(deps.db, async (tx) => {
    const current = await lockMoneyReturn(tx, returnId);
    if (current.status !== 'PENDING') return;
    const what = whatNext(current, result, returned);
    if (what === 'complete') await complete(tx, moneyReturn);
    // Somebody else has claimed it since, and may have sent it: what they hear is newer.
    else if (current.attemptCount !== moneyReturn.attemptCount) return;
    else if (what === 'postpone') await postpone(tx, current);
    else if (returned?.kind !== 'refunds' || !(await replaceReturn(deps, tx, current, returned.refunds))) await fail(tx, moneyReturn);
  });
}

/** What the bank's answer to a return means. `declined`: by the bank, or it is not asked again. */
function whatNext(
  { amountKopecks, attemptCount }: MoneyReturn,
  result: RefundResult,
  returned: Returned | undefined,
): 'complete' | 'postpone' | 'declined' {
  if (returned?.kind === 'whole') return 'complete';
  if (result.kind === 'confirmed') return result.amountKopecks === amountKopecks && result.currency === 'RUB' ? 'complete' : 'declined';
  const isUnclear = result.kind !== 'declined' || returned?.kind === 'unanswered';
  return isUnclear && attemptCount < ATTEMPTS_MAX ? 'postpone' : 'declined';
}

async function postpone(tx: Tx, { returnId, attemptCount }: MoneyReturn): Promise<void> {
  const now = await clock(tx);
  await postponeMoneyReturn(tx, returnId, new Date(now.getTime() + pauseMs(attemptCount - 1)));
}

/** The money is back with the buyer. */
async function complete(tx: Tx, { returnId, routeId, amountKopecks }: MoneyReturn): Promise<void> {
  await insertLedgerTransaction(
    tx,
    { kind: 'LATE_SUCCESS_RETURNED', referenceId: returnId },
    entriesForReturnedMoney(routeId, amountKopecks),
  );
  await endMoneyReturn(tx, returnId, 'COMPLETED');
}

/** The money stays in suspense, before a person. */
async function fail(tx: Tx, moneyReturn: MoneyReturn): Promise<void> {
  const { returnId, paymentId, routeId, why, bankOperationId, amountKopecks } = moneyReturn;
  const raised = { kind: 'RETURN_FAILED' as const, bankAmountKopecks: amountKopecks };
  if (why === 'UNKNOWN_ORDER') {
    // Several of one order, if some of it was refunded meanwhile: the bank's payment is the same.
    const subject = { operationId: paymentId, routeId, finding: returnId, reason: UNKNOWN_ORDER_RETURN_FAILED };
    await raiseException(tx, { ...raised, ...subject });
  } else {
    const finding = why === 'LATE_SUCCESS' ? '' : bankOperationId;
    await raiseException(tx, { ...raised, paymentId, operationId: operationOf(moneyReturn), finding });
  }
  await endMoneyReturn(tx, returnId, 'FAILED');
}
