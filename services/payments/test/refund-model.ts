import { createHash } from 'node:crypto';
import { readRefund, refundPayment } from '../src/acquirers/t-bank/refunds.ts';
import { readRefundOperation } from '../src/acquirers/sandbox-bank/operation.ts';
import type { AcquirerRefund } from '../src/acquirers/acquirer.ts';
import type { RefundResult } from '../src/domain/acquiring/acquirer-result.ts';
import type { Fence } from '../src/domain/acquiring/fence.ts';
import { isOverdue } from '../src/domain/acquiring/patience.ts';
import { pauseMs } from '../src/domain/payment/read-back-schedule.ts';
import { decideRefundOutcome } from '../src/domain/refund/refund-outcome.ts';
import { wantedOf } from '../src/use-cases/refund/send-refund.ts';
import { AMOUNT, createModelBank } from './model/model-bank.ts';
import { beginOnRoad, ownAnswer, SMOOTH, type Fate } from './model/road.ts';
import { createVirtualClock, type VirtualClock } from './model/virtual-clock.ts';

export type RefundHistory = {
  readonly bank: 'sandbox' | 'card' | 'SBP';
  readonly fates: readonly Fate[];
  /** How often each replica looks at what is due, in milliseconds. */
  readonly looks: readonly [number, number];
  /** What the partner wants back, and when. What it is told has failed it asks for again, twice at most. */
  readonly wishes: readonly { readonly at: number; readonly amount: bigint }[];
  /** From when on, and how long, the bank's reads are behind, or its payments have a status that nobody knows. */
  readonly behind: { readonly from: number; readonly for: number };
  readonly strange: { readonly from: number; readonly for: number };
  readonly refunding: { readonly ms: number; readonly as: string; readonly fails: readonly boolean[] };
  /** The process dies between the refund's commit and its first call: of each refund in turn. */
  readonly dies: readonly boolean[];
};

const HISTORY_MS = 200_000;
const HOUR_MS = 3_600_000;
const LEASE_MS = 20_000;
const CLAIM_MS = 60_000;
const MARGIN_MS = 5_000;
const ORDER = '018f0000-0000-7000-8000-000000000001';

type Refund = {
  readonly refundId: string;
  readonly amountKopecks: bigint;
  readonly createdAt: Date;
  status: 'PENDING' | 'COMPLETED' | 'FAILED';
  bankOperationId: string | null;
  nextReadAt: number;
  readCount: number;
  isForPerson: boolean;
};

/** What every bank behind this model tells about refunds in the end: how often each was carried out, and is not undone. */
type RefundBank = {
  refund(wanted: AcquirerRefund, fence: Fence): Promise<RefundResult>;
  readRefund(wanted: AcquirerRefund): Promise<RefundResult>;
  timesOf(refundId: string): number;
  leftKopecks(): bigint;
};

/**
 * The refunds of one paid order in simulated time: the connectors' own code, the real decisions, two replicas, a road on which calls are
 * late, lost, overtaken and answered by a balancer, and processes that stand still or die. At its end the road is smooth, and a day and a
 * half goes by. Returns what the bank has done, and what the partner was told.
 */
export async function playRefunds(history: RefundHistory) {
  const clock = createVirtualClock();
  const fates = [...history.fates];
  const nextFate = () => fates.shift() ?? SMOOTH;
  const bank = history.bank === 'sandbox' ? sandboxBank(clock, history, nextFate) : tBank(clock, history, nextFate);
  const payment = {
    paymentId: ORDER,
    operationId: null,
    bankOperationId: history.bank === 'sandbox' ? 'bank-1' : '1000',
    method: history.bank === 'SBP' ? ('SBP_DYNAMIC_QR' as const) : ('CARD' as const),
    isSbpOrder: false,
    amountKopecks: AMOUNT,
    receipt: null,
    refundedKopecks: 0n,
    refundReservedKopecks: 0n,
    version: 0,
  };
  const refunds: Refund[] = [];
  const dies = [...history.dies];

  const fenceOf = (refund: Refund): Fence => {
    const { readCount } = refund;
    return {
      async ask() {
        const askedAt = clock.now;
        const isOurs = refund.readCount === readCount && refund.status === 'PENDING';
        await clock.sleep(1);
        const leftMs = isOurs ? Math.max(0, refund.nextReadAt - askedAt - MARGIN_MS) : 0;
        return { leftMs, ageMs: () => clock.now - askedAt };
      },
    };
  };
  const wanted = (refund: Refund) => wantedOf(payment, { ...refund, receipt: null });

  /** `record-refund-outcome.ts`. */
  function record(refund: Refund, result: RefundResult): void {
    const decision = decideRefundOutcome(refund, result);
    if (decision.kind === 'ignore') return;
    if (decision.kind === 'complete') {
      refund.status = 'COMPLETED';
      payment.refundedKopecks += refund.amountKopecks;
      payment.version += 1;
      return;
    }
    if (decision.kind === 'fail') {
      refund.status = 'FAILED';
      payment.refundReservedKopecks -= refund.amountKopecks;
      payment.version += 1;
      return;
    }
    refund.nextReadAt = clock.now + pauseMs(refund.readCount);
    if (decision.kind === 'mismatch') refund.isForPerson = true;
    else {
      refund.bankOperationId = decision.acceptedAs ?? refund.bankOperationId;
      if (isOverdue(result, refund.createdAt, new Date(clock.now))) refund.isForPerson = true;
    }
  }

  /** `open-refund.ts` and `request-refund.ts`. */
  async function ask(amountKopecks: bigint, again: number): Promise<void> {
    if (payment.refundReservedKopecks + amountKopecks > AMOUNT) return;
    const refund: Refund = {
      refundId: createHash('sha256')
        .update(String(refunds.length))
        .digest('hex')
        .slice(0, 32)
        .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-7$3-8$4-$5')
        .slice(0, 36),
      amountKopecks,
      createdAt: new Date(clock.now),
      status: 'PENDING',
      bankOperationId: null,
      nextReadAt: clock.now + LEASE_MS,
      readCount: 0,
      isForPerson: false,
    };
    refunds.push(refund);
    payment.refundReservedKopecks += amountKopecks;
    payment.version += 1;
    if (dies.shift() !== true) record(refund, await bank.refund(wanted(refund), fenceOf(refund)));
    for (let waited = 0; refund.status === 'PENDING' && waited < 20; waited += 1) await clock.sleep(10_000);
    const { status } = refund as { readonly status: string };
    if (status === 'FAILED' && again > 0) await ask(amountKopecks, again - 1);
  }

  /** `follow-up-refunds.ts`: the worker of one replica. */
  async function look(): Promise<void> {
    for (const refund of refunds.filter(({ status, nextReadAt }) => status === 'PENDING' && nextReadAt <= clock.now)) {
      refund.readCount += 1;
      refund.nextReadAt = clock.now + CLAIM_MS;
      await readBack(refund);
    }
  }
  /** `send-refund.ts`. */
  async function readBack(refund: Refund): Promise<void> {
    const seen = { ...wanted(refund) };
    const [fence, { version }] = [fenceOf(refund), payment];
    const known = await bank.readRefund(seen);
    if (known.kind === 'confirmed' && payment.version !== version) record(refund, { kind: 'unknown', isAnswered: true });
    else record(refund, known.kind === 'absent' ? await bank.refund(seen, fence) : known);
  }
  async function work(everyMs: number): Promise<void> {
    while (clock.now < HISTORY_MS) {
      await clock.sleep(everyMs);
      // Each round is on its own: one that waits for the bank holds up no other replica, nor the next round.
      void look();
    }
  }

  const running = history.looks.map(work);
  for (const { at, amount } of history.wishes) running.push(clock.sleep(at).then(() => ask(amount, 2)));
  await clock.runUntil(HISTORY_MS + 200_000);
  fates.length = 0;
  for (let hour = 1; hour <= 36; hour += 1) {
    running.push(look());
    await clock.runUntil(clock.now + HOUR_MS);
  }
  return {
    refunds: refunds.map(({ refundId, status, isForPerson, amountKopecks }) => {
      return { status, isForPerson, amountKopecks, times: bank.timesOf(refundId) };
    }),
    leftKopecks: bank.leftKopecks(),
  };
}

const isWithin = (now: number, { from, for: long }: RefundHistory['behind']) => now >= from && now < from + long;

function tBank(clock: VirtualClock, history: RefundHistory, nextFate: () => Fate): RefundBank {
  const model = createModelBank(clock, {
    isBehind: () => isWithin(clock.now, history.behind),
    isStrange: () => isWithin(clock.now, history.strange),
    declines: [],
    takesWithdrawn: false,
    refunding: history.refunding,
  });
  const paid = model.givenPaid(ORDER, history.bank === 'SBP');
  return {
    refund: (wanted, fence) => refundPayment(model.begin(nextFate, fence), wanted),
    readRefund: (wanted) => readRefund(model.begin(nextFate), wanted),
    timesOf: (refundId) => paid.refunds.get(refundId)?.times ?? 0,
    leftKopecks: () => paid.left,
  };
}

/**
 * The sandbox bank's rules for refunds: each is an operation under our id. While it is behind, a replica reads that does not know it yet.
 */
function sandboxBank(clock: VirtualClock, history: RefundHistory, nextFate: () => Fate): RefundBank {
  const known = new Map<string, { readonly amountKopecks: bigint; readonly doneAt: number }>();
  let left = AMOUNT;
  const shown = (operationId: string) => {
    const refund = known.get(operationId);
    if (refund === undefined) return ownAnswer(404, { errorCode: 'OPERATION_NOT_FOUND', errorMessage: 'unknown' });
    return ownAnswer(200, {
      operationId,
      bankOperationId: `bank-${operationId}`,
      kind: 'REFUND',
      status: clock.now < refund.doneAt ? 'PENDING' : 'APPROVED',
      amountKopecks: refund.amountKopecks.toString(),
      currency: 'RUB',
    });
  };
  const notFound = () => ownAnswer(404, { errorCode: 'OPERATION_NOT_FOUND', errorMessage: 'unknown' });
  return {
    refund({ operationId, amountKopecks }, fence) {
      const work = () => {
        if (!known.has(operationId)) {
          if (isWithin(clock.now, history.behind)) return notFound();
          if (amountKopecks > left) return ownAnswer(409, { errorCode: 'AMOUNT_EXCEEDED', errorMessage: 'too much' });
          left -= amountKopecks;
          known.set(operationId, { amountKopecks, doneAt: clock.now + history.refunding.ms });
        } else if (isWithin(clock.now, history.behind)) return notFound();
        return shown(operationId);
      };
      const read = beginOnRoad(clock, nextFate, fence);
      return read(false, work, (word) => readRefundOperation(word, { operationId, creates: true }));
    },
    readRefund({ operationId }) {
      const work = () => (isWithin(clock.now, history.behind) ? notFound() : shown(operationId));
      const read = beginOnRoad(clock, nextFate);
      return read(true, work, (word) => readRefundOperation(word, { operationId, creates: false }));
    },
    timesOf: (refundId) => (known.has(refundId) ? 1 : 0),
    leftKopecks: () => left,
  };
}
