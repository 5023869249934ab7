import { z } from 'zod';
import type { Action } from '@pay/shared/operators/roles.ts';
import { count, maybe, maybeRubles, rubles, text, usdt, type Item } from '../files/columns.ts';
import type { OperatedService } from '../operator-apis/operator-api.ts';

/** A list of a service that the console writes as a file, `/api/<name>.csv` and `/api/<name>.xlsx`. */
export type ExportedList = {
  readonly service: OperatedService;
  /** The list's path at the service. */
  readonly list: string;
  /** The columns of the file. */
  readonly item: Item;
  readonly action: Action;
  /** The list has no `limit`: the service answers with all of it. */
  readonly isWhole?: true;
};

/** The exported fields of a withdrawal request. Amounts stay exact text until they are written. */
const Withdrawal = z.object({
  withdrawalRequestId: text,
  status: text,
  partnerID: text,
  storeId: text,
  beneficiaryRef: text,
  amountUsdt: usdt,
  transferReference: maybe,
  statusReason: maybe,
  takenBy: maybe,
  reviewedBy: maybe,
  reviewedAt: maybe,
  completedBy: maybe,
  completedAt: maybe,
  createdAt: text,
  updatedAt: text,
});

/** The exported fields of a payment. */
const Payment = z.object({
  paymentId: text,
  status: text,
  failureCode: maybe,
  method: text,
  amount: rubles,
  refundedAmount: rubles,
  currency: text,
  partnerID: text,
  paymentPointID: text,
  merchantOrderId: text,
  customerId: text,
  description: text,
  routeId: text,
  bankOperationId: maybe,
  cardMask: maybe,
  bindingId: maybe,
  createdAt: text,
  updatedAt: text,
});

/** The exported fields of an event for a partner. */
const Event = z.object({
  eventId: text,
  type: text,
  status: text,
  partnerId: text,
  aggregateId: text,
  aggregateVersion: count,
  attemptCount: count,
  recordedAt: text,
  nextAttemptAt: maybe,
  endedAt: maybe,
  resentBy: maybe,
});

const side = z.object({ status: maybe, amount: maybe }).transform(({ status, amount }) => [status, amount].join(' ').trim());

/** The exported fields of an exception. */
const Exception = z.object({
  exceptionId: text,
  kind: text,
  status: text,
  reason: text,
  date: maybe,
  routeId: maybe,
  paymentId: maybe,
  bankOperationId: maybe,
  bank: side,
  ours: side,
  resolvedBy: maybe,
  resolvedAt: maybe,
  note: maybe,
  createdAt: text,
});

/** The exported fields of a dead letter: without the message, which may name a buyer. */
const DeadLetter = z.object({
  deadLetterId: text,
  messageId: text,
  type: text,
  aggregateId: text,
  occurredAt: text,
  status: text,
  attemptCount: count,
  lastError: maybe,
  diedAt: text,
  redrivenBy: maybe,
  redrivenAt: maybe,
});

/** The exported fields of a reconciled day. */
const Reconciliation = z.object({
  routeId: text,
  date: text,
  status: text,
  bankTotal: maybeRubles,
  ourTotal: maybeRubles,
  difference: maybeRubles,
  requestedBy: maybe,
  startedAt: text,
  completedAt: maybe,
});

/** The exported fields of a funding. */
const Funding = z.object({
  fundingId: text,
  storeId: text,
  status: text,
  amountUsdt: usdt,
  amountRub: rubles,
  rate: text,
  reference: text,
  proposedBy: text,
  decidedBy: maybe,
  decidedAt: maybe,
  createdAt: text,
});

/** The exported fields of a proposal. */
const Proposal = z.object({
  proposalId: text,
  kind: text,
  subjectId: text,
  status: text,
  asked: z.unknown().transform((asked) => JSON.stringify(asked)),
  proposedBy: text,
  decidedBy: maybe,
  decidedAt: maybe,
  expiresAt: text,
  createdAt: text,
});

/** The exported fields of a point that held cards back. */
const HeldBack = z.object({
  paymentPointId: text,
  rule: text,
  cards: count,
  addresses: count,
  bins: count,
  counting: count,
  lastAt: text,
});

/** The exported fields of a partner. */
const Partner = z.object({
  partnerID: text,
  name: text,
  status: text,
  ratePerSecond: count,
  burst: count,
  createdAt: text,
  updatedAt: text,
});

/** The exported fields of an acquiring route. */
const AcquiringRoute = z.object({
  routeId: text,
  connector: text,
  status: text,
  minAmount: rubles,
  maxAmount: rubles,
  createdAt: text,
});

const deadLettersOf = (service: OperatedService): ExportedList => ({
  service,
  list: 'dead-letters',
  item: DeadLetter,
  action: 'dead-letters.export',
});

/** Every list of a service that has a file, by the file's name. */
export const EXPORTED: Readonly<Record<string, ExportedList>> = {
  withdrawals: { service: 'withdrawals', list: 'withdrawals', item: Withdrawal, action: 'withdrawals.export' },
  payments: { service: 'payments', list: 'payments', item: Payment, action: 'payments.export' },
  events: { service: 'notifier', list: 'events', item: Event, action: 'deliveries.export' },
  exceptions: { service: 'payments', list: 'exceptions', item: Exception, action: 'exceptions.export' },
  reconciliations: { service: 'payments', list: 'reconciliations', item: Reconciliation, action: 'reconciliations.export' },
  proposals: { service: 'payments', list: 'proposals', item: Proposal, action: 'proposals.export' },
  'held-back-cards': { service: 'payments', list: 'held-back-cards', item: HeldBack, action: 'held-back.export', isWhole: true },
  fundings: { service: 'withdrawals', list: 'fundings', item: Funding, action: 'fundings.export' },
  partners: { service: 'gateway', list: 'partners', item: Partner, action: 'partners.export', isWhole: true },
  routes: { service: 'payments', list: 'routes', item: AcquiringRoute, action: 'routes.export', isWhole: true },
  'bindings-dead-letters': deadLettersOf('bindings'),
  'withdrawals-dead-letters': deadLettersOf('withdrawals'),
  'notifier-dead-letters': deadLettersOf('notifier'),
};
