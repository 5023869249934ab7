import { clock } from '@pay/shared/postgres/clock.ts';
import { dayOf, endOfDay } from '@pay/shared/time/day.ts';
import { listStarts, listUnknownRefunds } from '../../db/reconciliation/reconciliations.ts';
import type { MoneyReturn } from '../../db/money-return/money-returns.ts';
import type { Acquirer } from '../../acquirers/acquirer.ts';
import type { Deps } from '../../deps.ts';
import { operationOf } from '../../domain/payment/next-card.ts';
import type { RegisterEntry } from '../../domain/reconciliation/reconciliation.ts';
import type { BankRefund } from './book-returned.ts';

/** What the bank gave back of the money of a return, without us. */
export type Returned =
  /** All of it: the bank's payment is refunded, or the register has the return that the bank says it declined. */
  | { readonly kind: 'whole' }
  /** Refunds of the unknown order; some may be in our books. */
  | { readonly kind: 'refunds'; readonly refunds: readonly BankRefund[] }
  | { readonly kind: 'nothing' }
  | { readonly kind: 'unanswered' };

const DAY_MS = 24 * 3_600_000;
/** As for the daily comparison: earlier days are read only on request. */
const DAYS_BACK = 7;
/** What is read of a register for one return. A refund behind it is found by the day's comparison, and booked by a person. */
const PAGES_MAX = 100;
const UNANSWERED = { kind: 'unanswered' } as const;

/**
 * Asks the bank, after it declined a return, whether the money is back already: somebody refunded it in the bank's cabinet. The order
 * itself says so if all of it is; the refunds of an unknown order are in the register.
 */
export async function readReturned(deps: Deps, acquirer: Acquirer, moneyReturn: MoneyReturn): Promise<Returned> {
  if (moneyReturn.why === 'UNKNOWN_ORDER' && acquirer.readRegister !== undefined)
    return readRefunds(deps, acquirer.readRegister, moneyReturn);
  const order = await acquirer.read(operationOf(moneyReturn));
  if (order.kind === 'unknown' || order.kind === 'not-sent' || order.kind === 'fenced') return UNANSWERED;
  const returned = order.kind === 'cancelled' ? [order.bankOperationId, ...(order.alsoReturned ?? [])] : [];
  return { kind: returned.includes(moneyReturn.bankOperationId) ? 'whole' : 'nothing' };
}

/** Those that comparisons found, and those that came since: of the days that have not been compared after their end. */
async function readRefunds(
  deps: Deps,
  readRegister: NonNullable<Acquirer['readRegister']>,
  { returnId, paymentId, routeId, amountKopecks }: MoneyReturn,
): Promise<Returned> {
  const refunds = new Map<string, BankRefund>();
  for (const refund of await listUnknownRefunds(deps.db, routeId, paymentId)) refunds.set(refund.operationId, refund);
  let pages = 0;
  for (const day of await listOpenDays(deps, routeId)) {
    let after: string | undefined;
    do {
      const page = await readRegister(day, after);
      if (page.kind !== 'page') return UNANSWERED;
      for (const entry of page.entries.filter(isRefundOf(paymentId))) refunds.set(entry.operationId, entry);
      after = page.next;
      pages += 1;
    } while (after !== undefined && pages < PAGES_MAX);
  }
  if (refunds.get(returnId)?.amountKopecks === amountKopecks) return { kind: 'whole' };
  return { kind: 'refunds', refunds: [...refunds.values()] };
}

const isRefundOf =
  (paymentId: string) =>
  ({ kind, money, originalOperationId, currency }: RegisterEntry): boolean =>
    kind === 'REFUND' && money === 'moved' && originalOperationId === paymentId && currency === 'RUB';

/** Newest first. */
async function listOpenDays({ db }: Deps, routeId: string): Promise<string[]> {
  const now = (await clock(db)).getTime();
  const days = Array.from({ length: DAYS_BACK }, (_, back) => dayOf(new Date(now - back * DAY_MS)));
  const starts = await listStarts(db, routeId, days.at(-1) ?? dayOf(new Date(now)));
  return days.filter((day) => (starts.get(day)?.getTime() ?? 0) < endOfDay(day).getTime());
}
