import { generateKeyPairSync } from 'node:crypto';
import type { TBankAnswer, TBankPayment } from '../../src/acquirers/t-bank/answer.ts';
import type { TerminalCalls } from '../../src/acquirers/t-bank/terminal.ts';
import { HOLDS_MS, type Fence } from '../../src/domain/acquiring/fence.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** What happens to one call on its way; milliseconds. */
export type Fate = {
  /** Until the bank carries it out, and until its answer is back. */
  readonly there: number;
  readonly back: number;
  readonly lost: string;
  /** The process stands still before the call, between the fence's answer and the first byte, or when the answer is there. */
  readonly frozenBefore: number;
  readonly frozenThere: number;
  readonly frozenAfter: number;
};
export const SMOOTH: Fate = { there: 5, back: 5, lost: 'nothing', frozenBefore: 0, frozenThere: 0, frozenAfter: 0 };

type ModelPayment = TBankPayment & {
  readonly OrderId: string;
  Status: string;
  readonly Amount: bigint;
  /** Money came by it. */
  isTaken: boolean;
  /** What is left of that money. */
  left: bigint;
  readonly refunds: Map<string, TBankAnswer>;
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
};

export type ModelBank = {
  readonly payments: ModelPayment[];
  /** The buyer pays one of the codes that the bank has made, the newest first, if it can be paid. */
  pay(which: number): void;
  /** The terminal of one operation, at the end of a road on which each call has its fate. */
  begin(nextFate: () => Fate, fence?: Fence): TerminalCalls;
};

const DEADLINE_MS = 10_000;
const LEAST_MS = 2_000;
const STALE_MS = 30_000;
const TELLING = new Set(['CheckOrder', 'GetCardList', 'Check3dsVersion']);
const { publicKey: cardKey } = generateKeyPairSync('rsa', { modulusLength: 512 });

/**
 * T-Bank's rules for cards, charges, codes, withdrawals and refunds, without its wire; the orders of one payment. While it is behind,
 * CheckOrder is answered by a copy of its books that is half a minute old.
 */
export function createModelBank(clock: VirtualClock, faults: BankFaults): ModelBank {
  const { isBehind, takesWithdrawn } = faults;
  const payments: ModelPayment[] = [];
  const declines = [...faults.declines];

  function answerOf(change: Partial<TBankAnswer>): TBankAnswer {
    return { kind: 'answer', Success: true, ErrorCode: '0', Payments: [], ...change };
  }
  const refused = (ErrorCode: string) => answerOf({ Success: false, ErrorCode });
  const shown = ({ PaymentId, Amount, Status }: ModelPayment) => answerOf({ PaymentId, Amount, Status });

  function take(payment: ModelPayment): TBankAnswer {
    if (payment.Status !== 'NEW') return refused('8');
    Object.assign(payment, { Status: 'CONFIRMED', isTaken: true, left: payment.Amount });
    return shown(payment);
  }

  function takeCard(payment: ModelPayment): TBankAnswer {
    if (payment.Status !== 'NEW' || declines.shift() !== true) return take(payment);
    Object.assign(payment, { Status: 'REJECTED', ErrorCode: '1051' });
    return answerOf({ ...shown(payment), Success: false, ErrorCode: '1051' });
  }

  function cancel(payment: ModelPayment, fields: Readonly<Record<string, unknown>>): TBankAnswer {
    if (payment.Status === 'NEW') {
      payment.Status = 'CANCELED';
      return shown(payment);
    }
    const id = fields['ExternalRequestId'];
    const known = typeof id === 'string' && payment.SbpPaymentId === undefined ? payment.refunds.get(id) : undefined;
    if (known !== undefined) return known;
    if (!payment.isTaken || payment.left === 0n) return refused('4');
    const amount = typeof fields['Amount'] === 'bigint' ? fields['Amount'] : payment.left;
    if (amount > payment.left) return refused('330');
    const OriginalAmount = payment.left;
    payment.left -= amount;
    payment.Status = payment.left === 0n ? 'REFUNDED' : 'PARTIAL_REFUNDED';
    const answer = { ...shown(payment), OriginalAmount, NewAmount: payment.left };
    if (typeof id === 'string') payment.refunds.set(id, answer);
    return answer;
  }

  const copies: { readonly at: number; readonly payments: readonly ModelPayment[] }[] = [];
  function copy(): void {
    copies.push({ at: clock.now, payments: payments.map((payment) => ({ ...payment })) });
  }

  function carryOut(method: string, fields: Readonly<Record<string, unknown>>): TBankAnswer {
    const OrderId = String(fields['OrderId']);
    if (method === 'CheckOrder') {
      const told = isBehind() ? (copies.findLast(({ at }) => at <= clock.now - STALE_MS)?.payments ?? []) : payments;
      const ofOrder = told.filter((payment) => payment.OrderId === OrderId);
      return ofOrder.length === 0 ? refused('335') : answerOf({ Payments: ofOrder.map((payment) => ({ ...payment })) });
    }
    if (method === 'Init') {
      const payment: ModelPayment = {
        OrderId, PaymentId: String(1_000 + payments.length), Amount: fields['Amount'] as bigint, Status: 'NEW',
        ErrorCode: '0', isTaken: false, left: 0n, refunds: new Map(),
      }; // prettier-ignore
      payments.push(payment);
      return shown(payment);
    }
    const payment = payments.find(({ PaymentId }) => PaymentId === fields['PaymentId']);
    if (payment === undefined) return refused('255');
    if (method === 'Charge') return take(payment);
    if (method === 'Check3dsVersion') return answerOf({ Version: '2.1.0', TdsServerTransID: '1' });
    if (method === 'FinishAuthorize') return takeCard(payment);
    if (method === 'Cancel') return cancel(payment, fields);
    payment.SbpPaymentId = `sbp-${payment.PaymentId}`;
    return answerOf({ PaymentId: payment.PaymentId, Data: `https://qr.nspk.ru/${payment.PaymentId}` });
  }

  function begin(nextFate: () => Fate, fence?: Fence): TerminalCalls {
    const endsAt = clock.now + DEADLINE_MS;
    type Sent = TBankAnswer | { readonly kind: 'unknown' | 'not-sent' | 'fenced' };

    async function send(method: string, fields: Readonly<Record<string, unknown>>): Promise<Sent> {
      const fate = nextFate();
      await clock.sleep(fate.frozenBefore);
      const isTelling = TELLING.has(method);
      let until = endsAt;
      for (let frozen = fate.frozenThere; ; frozen = 0) {
        const { leftMs, ageMs } = (isTelling ? undefined : await fence?.ask()) ?? {
          leftMs: isTelling ? DEADLINE_MS : 0,
          ageMs: () => 0,
        };
        if (leftMs <= 0) return { kind: 'fenced' };
        until = Math.min(endsAt, clock.now - ageMs() + leftMs);
        if (until - clock.now < (isTelling ? 1 : LEAST_MS)) return { kind: 'not-sent' };
        await clock.sleep(frozen);
        if (clock.now >= until) return UNKNOWN;
        if (ageMs() <= HOLDS_MS) break;
      }
      // From here on the network has it: it may keep it for longer than we wait.
      const answered = travel(fate, method, fields);
      const sent = await Promise.race([answered, clock.sleep(until - clock.now).then(() => UNKNOWN)]);
      await clock.sleep(fate.frozenAfter);
      return sent;
    }

    async function travel(fate: Fate, method: string, fields: Readonly<Record<string, unknown>>): Promise<Sent> {
      await clock.sleep(fate.there);
      if (fate.lost === 'request') return clock.sleep(1e9).then(() => UNKNOWN);
      const answer = carryOut(method, fields);
      copy();
      await clock.sleep(fate.lost === 'answer' ? 1e9 : fate.back);
      return answer;
    }

    return {
      cardKey,
      notificationUrl: undefined,
      call: send,
      async find(operationId) {
        const answer = await send('CheckOrder', { OrderId: operationId });
        if (answer.kind !== 'answer') return answer;
        return { kind: 'found', payments: answer.Payments };
      },
      listCards: () => Promise.resolve({ kind: 'cards', cards: [] }),
    };
  }

  return {
    payments,
    pay(which) {
      // A code can be paid from the moment on that the bank made one of it.
      const payment = payments.filter(({ SbpPaymentId }) => SbpPaymentId !== undefined).at(-1 - which);
      if (payment?.Status === 'CANCELED' && takesWithdrawn) payment.Status = 'NEW';
      if (payment !== undefined) take(payment);
      copy();
    },
    begin,
  };
}

const UNKNOWN = { kind: 'unknown' } as const;
