import { generateKeyPairSync } from 'node:crypto';
import type { TBankPayment } from '../../src/acquirers/t-bank/answer.ts';
import { createTerminalCalls, isTelling, type Method, type TerminalCalls } from '../../src/acquirers/t-bank/terminal.ts';
import type { Fence } from '../../src/domain/acquiring/fence.ts';
import { beginOnRoad, ownAnswer, type Fate } from './road.ts';
import type { VirtualClock } from './virtual-clock.ts';

type Json = Readonly<Record<string, unknown>>;

type ModelPayment = TBankPayment & {
  readonly OrderId: string;
  Status: string;
  readonly Amount: bigint;
  /** Money came by it. */
  isTaken: boolean;
  /** What is left of that money. */
  left: bigint;
  /** By ExternalRequestId: the sums before and after; how often it was carried out, and is not undone. */
  readonly refunds: Map<string, { OriginalAmount: bigint; NewAmount: bigint; times: number }>;
  /** Of the last refund by SBP. */
  qr?: { Amount: bigint; QrCancelCode?: string };
  /** Set if it is paid by SBP. */
  SbpPaymentId?: string;
};

/** What a bank does besides keeping its rules. */
type BankFaults = {
  readonly isBehind: () => boolean;
  /** For each card in turn, whether its own bank declines it. */
  readonly declines: readonly boolean[];
  /** A code that was withdrawn can be paid all the same. */
  readonly takesWithdrawn: boolean;
  /** How long a refund is under way, with which status, and whether the buyer's bank refuses each in turn (by SBP). */
  readonly refunding?: { readonly ms: number; readonly as: string; readonly fails: readonly boolean[] };
  /** A status that nobody knows is shown for every payment. */
  readonly isStrange?: () => boolean;
};

export type ModelBank = {
  readonly payments: ModelPayment[];
  /** When the first byte of each Charge left. */
  readonly chargesLeftAt: readonly number[];
  /** The buyer pays one of the codes that the bank has made, the newest first, if it can be paid. */
  pay(which: number): void;
  /** An order that the buyer has paid. */
  givenPaid(orderId: string, isSbp: boolean): ModelPayment;
  /** The terminal of one operation, at the end of a road on which each call has its fate. */
  begin(nextFate: () => Fate, fence?: Fence): TerminalCalls;
};

const STALE_MS = 30_000;
const TERMINAL = 'Model';
const { publicKey: cardKey } = generateKeyPairSync('rsa', { modulusLength: 512 });

/**
 * T-Bank's rules for cards, charges, codes, withdrawals and refunds, without its wire; the orders of one payment. While it is behind,
 * CheckOrder is answered by a copy of its books that is half a minute old.
 */
export function createModelBank(clock: VirtualClock, faults: BankFaults): ModelBank {
  const { isBehind, takesWithdrawn } = faults;
  const payments: ModelPayment[] = [];
  const chargesLeftAt: number[] = [];
  const declines = [...faults.declines];

  const answerOf = (change: Json): Json => ({ Success: true, ErrorCode: '0', TerminalKey: TERMINAL, ...change });
  const refused = (ErrorCode: string) => answerOf({ Success: false, ErrorCode });
  const statusOf = ({ Status }: ModelPayment) => (faults.isStrange?.() === true ? 'HELD_BY_SOMETHING_NEW' : Status);
  const shown = (payment: ModelPayment) =>
    answerOf({
      PaymentId: payment.PaymentId,
      OrderId: payment.OrderId,
      Amount: payment.Amount,
      Status: statusOf(payment),
    });

  function take(payment: ModelPayment): Json {
    if (payment.Status !== 'NEW') return refused('8');
    Object.assign(payment, { Status: 'CONFIRMED', isTaken: true, left: payment.Amount });
    return shown(payment);
  }

  function takeCard(payment: ModelPayment): Json {
    if (payment.Status !== 'NEW' || declines.shift() !== true) return take(payment);
    Object.assign(payment, { Status: 'REJECTED', ErrorCode: '1051' });
    return answerOf({ ...shown(payment), Success: false, ErrorCode: '1051' });
  }

  function cancel(payment: ModelPayment, fields: Json): Json {
    if (payment.Status === 'NEW') {
      payment.Status = 'CANCELED';
      return shown(payment);
    }
    const named = fields['ExternalRequestId'];
    const id = typeof named === 'string' ? named : '';
    const known = payment.SbpPaymentId === undefined ? payment.refunds.get(id) : undefined;
    if (known !== undefined) return { ...shown(payment), ...known };
    if (payment.Status === faults.refunding?.as) return refused('8');
    if (!payment.isTaken || payment.left === 0n) return refused('4');
    const amount = typeof fields['Amount'] === 'bigint' ? fields['Amount'] : payment.left;
    if (amount > payment.left) return refused('330');
    const sums = { OriginalAmount: payment.left, NewAmount: payment.left - amount };
    payment.left -= amount;
    payment.refunds.set(id, { ...sums, times: (payment.refunds.get(id)?.times ?? 0) + 1 });
    if (payment.SbpPaymentId !== undefined) payment.qr = { Amount: amount };
    const { ms = 0, as = '' } = faults.refunding ?? {};
    payment.Status = ms === 0 ? after(payment) : as;
    if (ms > 0)
      void clock.sleep(ms).then(() => {
        endRefund(payment, id, amount);
      });
    return { ...shown(payment), ...sums };
  }
  const after = ({ left, Amount }: ModelPayment) => (left === 0n ? 'REFUNDED' : left === Amount ? 'CONFIRMED' : 'PARTIAL_REFUNDED');
  const fails = [...(faults.refunding?.fails ?? [])];
  function endRefund(payment: ModelPayment, id: string, amount: bigint): void {
    if (payment.SbpPaymentId !== undefined && fails.shift() === true) {
      payment.left += amount;
      payment.qr = { Amount: amount, QrCancelCode: 'I05043' };
      const refund = payment.refunds.get(id);
      if (refund !== undefined) refund.times -= 1;
    }
    payment.Status = after(payment);
    copy();
  }

  const copies: { readonly at: number; readonly payments: readonly ModelPayment[] }[] = [];
  function copy(): void {
    copies.push({ at: clock.now, payments: payments.map((payment) => ({ ...payment })) });
  }

  function carryOut(method: Method, fields: Json): Json {
    const OrderId = String(fields['OrderId']);
    if (method === 'CheckOrder') {
      const told = isBehind() ? (copies.findLast(({ at }) => at <= clock.now - STALE_MS)?.payments ?? []) : payments;
      const ofOrder = told.filter((payment) => payment.OrderId === OrderId);
      const Payments = ofOrder.map((payment) => ({
        PaymentId: payment.PaymentId,
        Amount: payment.Amount,
        Status: statusOf(payment),
        ErrorCode: payment.ErrorCode,
      }));
      return ofOrder.length === 0 ? refused('335') : answerOf({ OrderId, Payments });
    }
    if (method === 'Init') return shown(open(OrderId, fields['Amount'] as bigint));
    const payment = payments.find(({ PaymentId }) => PaymentId === fields['PaymentId']);
    if (payment === undefined) return refused('255');
    switch (method) {
      case 'Charge':
        return take(payment);
      case 'Check3dsVersion':
        return answerOf({ Version: '2.1.0', TdsServerTransID: '1' });
      case 'FinishAuthorize':
        return takeCard(payment);
      case 'Cancel':
        return cancel(payment, fields);
      case 'GetQrState':
        return answerOf({ OrderId: payment.OrderId, Status: statusOf(payment), ...payment.qr });
      default:
        payment.SbpPaymentId = `sbp-${payment.PaymentId}`;
        return answerOf({ PaymentId: payment.PaymentId, Data: `https://qr.nspk.ru/${payment.PaymentId}` });
    }
  }

  function open(OrderId: string, Amount: bigint): ModelPayment {
    const payment: ModelPayment = {
      OrderId,
      PaymentId: String(1_000 + payments.length),
      Amount,
      Status: 'NEW',
      ErrorCode: '0',
      isTaken: false,
      left: 0n,
      refunds: new Map(),
    };
    payments.push(payment);
    return payment;
  }

  function begin(nextFate: () => Fate, fence?: Fence): TerminalCalls {
    const send = beginOnRoad(clock, nextFate, fence);
    const account = { terminalKey: TERMINAL, cardKey, notificationUrl: undefined };
    return createTerminalCalls(account, (method, { fields }, read) => {
      const work = () => {
        const answer = ownAnswer(200, carryOut(method, fields));
        copy();
        return answer;
      };
      const leave = () => method === 'Charge' && chargesLeftAt.push(clock.now);
      return send(isTelling(method), work, read, leave);
    });
  }

  return {
    payments,
    chargesLeftAt,
    pay(which) {
      // A code can be paid from the moment on that the bank made one of it.
      const payment = payments.filter(({ SbpPaymentId }) => SbpPaymentId !== undefined).at(-1 - which);
      if (payment?.Status === 'CANCELED' && takesWithdrawn) payment.Status = 'NEW';
      if (payment !== undefined) take(payment);
      copy();
    },
    givenPaid(orderId, isSbp) {
      const payment = open(orderId, AMOUNT);
      if (isSbp) payment.SbpPaymentId = `sbp-${payment.PaymentId}`;
      take(payment);
      copy();
      return payment;
    },
    begin,
  };
}

/** Of every order. */
export const AMOUNT = 1_000n;
