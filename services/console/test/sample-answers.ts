import type { ReconciliationException } from '@pay/contract/operator/exceptions.ts';
import type { PaymentTimeline } from '@pay/contract/operator/payments.ts';
import type { PaymentPoint } from '@pay/contract/operator/stores.ts';
import type { Received } from './app.ts';

/** What the operator APIs and the console answer for pictures and figures of the pages: a few rows of everything, always the same. */

const AT = '2026-11-21T10:00:00.000Z';
const LATER = '2026-11-21T11:30:00.000Z';
const ID = '9c879efc-0e7d-4a0c-b214-7a10396128b2';
export const SAMPLE_ID = ID;
const HASH = 'a'.repeat(64);

const payment = {
  paymentId: ID,
  status: 'COMPLETED',
  failureCode: null,
  method: 'CARD',
  amount: '1250.00',
  refundedAmount: '0.00',
  refundableAmount: '1250.00',
  currency: 'RUB',
  partnerID: 'tea-shop',
  paymentPointID: 'web',
  merchantOrderId: 'order-1042',
  customerId: 'anna',
  description: 'Tea',
  routeId: 'sandbox-bank',
  bankOperationId: 'b-77',
  cardMask: '220070******1234',
  bindingId: ID,
  createdAt: AT,
  updatedAt: LATER,
  aggregateVersion: 2,
  ledgerTransactionId: ID,
};
const timeline: PaymentTimeline = {
  ...payment,
  method: 'CARD',
  status: 'COMPLETED',
  consentId: null,
  expiresAt: LATER,
  threeDSecure: null,
  receipt: null,
  bank: { cardSentAt: AT, lastReadAt: LATER, nextReadAt: null, readCount: 1 },
  declinedCards: [],
  returns: [],
  exceptions: [],
  ledger: [
    { ledgerTransactionId: ID, kind: 'PAYMENT', account: 'PARTNER_PAYABLE', owner: 'tea-shop', amount: '-1218.75', createdAt: LATER },
    { ledgerTransactionId: ID, kind: 'PAYMENT', account: 'FEE_INCOME', owner: 'web', amount: '-31.25', createdAt: LATER },
  ],
  refunds: [],
};
const event = {
  eventId: ID,
  type: 'payment.completed',
  status: 'DELIVERED',
  partnerId: 'tea-shop',
  aggregateId: ID,
  aggregateVersion: 1,
  attemptCount: 1,
  recordedAt: AT,
  nextAttemptAt: null,
  endedAt: LATER,
  resentBy: null,
  body: '{"type":"payment.completed"}',
  attempts: [
    {
      number: 1,
      startedAt: AT,
      durationMs: 120,
      httpStatus: 200,
      failure: null,
      outcome: 'DELIVERED',
      keyIds: ['k1'],
      resentBy: null,
      excerptBase64: null,
    },
  ],
};
const withdrawal = {
  withdrawalRequestId: ID,
  status: 'REQUESTED',
  partnerID: 'tea-shop',
  storeId: 'tea',
  beneficiaryRef: 'ben-1',
  amountUsdt: '12500.000000',
  revision: 1,
  takenBy: null,
  takenUntil: null,
  reviewedBy: null,
  completedBy: null,
  cancelledBy: null,
  createdAt: AT,
  updatedAt: AT,
  history: [
    {
      at: AT,
      operator: 'olga@example.com',
      action: 'withdrawal.take',
      before: { status: 'REQUESTED' },
      after: { status: 'IN_REVIEW' },
      requestId: ID,
    },
  ],
};
const approved = {
  ...withdrawal,
  withdrawalRequestId: ID.replace('9c', '8c'),
  status: 'APPROVED',
  reviewedBy: 'olga@example.com',
  revision: 3,
};
const exception: ReconciliationException = {
  exceptionId: ID,
  kind: 'AMOUNT_MISMATCH',
  status: 'OPEN',
  reason: 'The bank took a different amount or currency.',
  date: '2026-11-20',
  routeId: 'sandbox-bank',
  paymentId: ID,
  operationId: ID,
  bankOperationId: 'b-77',
  unknownOperation: null,
  bank: { status: 'PAID', amount: '1251.00', currency: 'RUB' },
  ours: { status: 'COMPLETED', amount: '1250.00' },
  note: null,
  resolvedBy: null,
  createdAt: AT,
  resolvedAt: null,
};
const unknown: ReconciliationException = {
  ...exception,
  exceptionId: ID.replace('9c', '8c'),
  kind: 'MISSING_HERE',
  reason: 'Register of 2026-11-20: the bank has PAYMENT PAID 890.00 RUB; we do not know it.',
  paymentId: null,
  unknownOperation: { kind: 'PAYMENT', refunds: null },
  bank: { status: 'PAID', amount: '890.00', currency: 'RUB' },
  ours: { status: null, amount: null },
};
const unknownRefund: ReconciliationException = {
  ...unknown,
  exceptionId: ID.replace('9c', '7c'),
  reason: 'Register of 2026-11-20: the bank has REFUND PAID 110.00 RUB; we do not know it.',
  unknownOperation: { kind: 'REFUND', refunds: ID },
  bank: { status: 'PAID', amount: '110.00', currency: 'RUB' },
};
const day = {
  routeId: 'sandbox-bank',
  date: '2026-11-20',
  status: 'COMPLETED',
  requestedBy: null,
  startedAt: AT,
  completedAt: LATER,
  counts: { MATCHED: 41, IN_PROGRESS: 0, MISSING_HERE: 0, MISSING_THERE: 0, DIFFERENT_AMOUNT: 1, DIFFERENT_STATE: 0 },
  bankTotal: '51251.00',
  ourTotal: '51250.00',
  difference: '1.00',
  items: [],
};
const proposal = {
  proposalId: ID,
  kind: 'REFUND',
  subjectId: ID,
  asked: { amount: '90000.00', reason: 'Returned goods' },
  status: 'PROPOSED',
  proposedBy: 'oleg@example.com',
  decidedBy: null,
  decidedAt: null,
  expiresAt: '2026-11-24T10:00:00.000Z',
  createdAt: AT,
};
const letter = {
  deadLetterId: ID,
  messageId: ID,
  type: 'payment.completed',
  aggregateId: ID,
  occurredAt: AT,
  requestId: ID,
  signature: null,
  refused: false,
  diedAt: LATER,
  status: 'WAITING',
  attemptCount: 1,
  lastError: 'the store is unknown',
  redrivenBy: null,
  redrivenAt: null,
};
const funding = {
  fundingId: ID,
  storeId: 'tea',
  status: 'PROPOSED',
  amountUsdt: '1000.000000',
  amountRub: '81500.00',
  rate: '81.500000',
  reference: 'settlement 17',
  proposedBy: 'olga@example.com',
  decidedBy: null,
  decidedAt: null,
  createdAt: AT,
};
const usdtStore = {
  storeId: 'tea',
  name: 'Tea',
  partnerID: 'tea-shop',
  availableUsdt: '9000.000000',
  reservedUsdt: '1000.000000',
  paidUsdt: '500.000000',
  creditedUsdt: '10500.000000',
};
const card = {
  bindingId: ID,
  partnerID: 'tea-shop',
  customerId: 'anna',
  status: 'ACTIVE',
  consentId: ID,
  period: 'P1M',
  lastChargedAt: AT,
  nextChargeAt: LATER,
  createdAt: AT,
  cardMask: '220070******1234',
  cardExpiry: '2029-09',
  openPaymentId: null,
};
const consent = {
  consentId: ID,
  bindingId: ID,
  paymentId: ID,
  partnerID: 'tea-shop',
  customerId: 'anna',
  storeName: 'Tea',
  period: 'P1M',
  capture: 'SERVICE',
  text: 'I agree that the card is saved.',
  version: '2026-11-23.en',
  sha256: HASH,
  reference: null,
  acceptedAt: AT,
  address: '203.0.113.7',
  userAgent: 'Browser/1',
  recordedAt: AT,
};
const partner = {
  partnerID: 'tea-shop',
  name: 'Tea shop',
  status: 'ACTIVE',
  ratePerSecond: 200,
  burst: 400,
  createdAt: AT,
  updatedAt: AT,
  keys: [
    {
      keyId: ID,
      fingerprint: 'SHA256:abc',
      comment: 'tea',
      status: 'ACTIVE',
      registeredBy: 'oleg@example.com',
      activatedBy: 'anna@example.com',
    },
  ],
};
const route = {
  routeId: 'sandbox-bank',
  connector: 'sandbox-bank',
  status: 'ACTIVE',
  minAmount: '0.01',
  maxAmount: '1000000.00',
  createdAt: AT,
};
const receiver = {
  partnerId: 'tea-shop',
  callbackUrl: 'https://shop.example/callbacks',
  state: 'HEALTHY',
  waiting: 0,
  failuresInARow: 0,
  rotationOpenedAt: null,
  keys: [],
};
const point: PaymentPoint = {
  paymentPointId: 'web',
  storeId: 'tea',
  partnerId: 'tea-shop',
  name: 'Web shop',
  status: 'ACTIVE',
  paymentMethods: ['CARD', 'SBP_DYNAMIC_QR'],
  routeId: 'sandbox-bank',
  minAmount: '1.00',
  maxAmount: '100000.00',
  feeBasisPoints: 250,
  sessionMinutes: 60,
  whenNotAuthenticated: 'DECLINE',
  cardAttempts: 3,
  sbpOnCardPage: false,
  emailConfirmation: false,
  revision: 4,
  createdAt: AT,
};
const shop = { storeId: 'tea', partnerId: 'tea-shop', name: 'Tea', merchantConsent: true, logo: null, paymentPoints: [point] };
const range = { from: AT, to: '2026-11-21T12:00:00.000Z', bucketSeconds: 3_600 };
const buckets = [AT, '2026-11-21T11:00:00.000Z'].map((at, index) => ({
  at,
  created: 40 + index,
  completed: 31,
  failed: 6,
  expired: 3,
  cancelled: 1,
  amount: '38750.00',
  medianMs: 22_000,
  p95Ms: 80_000,
  recorded: 46,
  delivered: 45,
  stopped: 1,
}));

const OVERVIEWS: Readonly<Record<string, unknown>> = {
  payments: {
    ...range,
    amount: '77500.00',
    buckets,
    failures: [{ failureCode: 'INSUFFICIENT_FUNDS', count: 7 }],
    balances: [{ account: 'PARTNER_PAYABLE', balance: '-75562.50', share: 1_000 }],
  },
  notifier: { ...range, buckets, waiting: { waiting: 7, oldestAt: AT } },
  withdrawals: {
    waiting: [{ status: 'REQUESTED', waiting: 3, oldestAt: AT }],
    balances: [{ ...usdtStore, availableShare: 850, reservedShare: 100, paidShare: 50 }],
  },
};

/** The first whose beginning the path has. A list unless its path names one thing. */
const ANSWERS: readonly (readonly [string, unknown])[] = [
  ['/queues', { items: [{ queue: 'dead-letters', waiting: 1, oldestAt: AT }] }],
  [`/payments/${ID}`, timeline],
  ['/payments', [payment]],
  [`/events/${ID}`, event],
  ['/events', [event]],
  ['/withdrawals/counts', { items: [{ status: 'REQUESTED', count: 3, amountUsdt: '1.000000', oldestAt: AT }] }],
  [`/withdrawals/${ID}`, withdrawal],
  [`/withdrawals/${approved.withdrawalRequestId}`, approved],
  ['/withdrawals', [withdrawal]],
  [`/bindings/${ID}`, { ...card, consent }],
  ['/bindings', [card]],
  [
    '/held-back-cards',
    {
      since: AT,
      rules: [{ rule: 'bin', cardsMax: 3, windowSeconds: 600 }],
      items: [{ paymentPointId: 'web', rule: 'bin', cards: 12, addresses: 4, bins: 1, lastAt: LATER, counting: 3 }],
    },
  ],
  ['/exceptions', [exception, unknown, unknownRefund]],
  ['/reconciliations/', day],
  ['/reconciliations', [day]],
  ['/proposals', [proposal]],
  [`/dead-letters/${ID}`, { ...letter, body: '{"type":"payment.completed"}' }],
  ['/dead-letters', [letter]],
  ['/fundings', [funding]],
  [
    '/partners/tea-shop/beneficiaries',
    {
      items: [
        {
          beneficiaryRef: 'ben-1',
          partnerID: 'tea-shop',
          label: 'Tea Ltd',
          status: 'ISSUED',
          issuedBy: 'oleg@example.com',
          decidedBy: 'anna@example.com',
          decidedAt: AT,
          expiresAt: null,
          revokedBy: null,
          revokedAt: null,
          revokeReason: null,
          createdAt: AT,
        },
      ],
    },
  ],
  ['/routes', [route]],
  ['/payment-points/web/routes', { paymentPointId: 'web', method: 'CARD', routes: [route] }],
  ['/payment-points/web', point],
  [
    '/actions',
    [
      {
        at: AT,
        operator: 'oleg@example.com',
        action: 'point.change',
        before: { status: 'SUSPENDED' },
        after: { status: 'ACTIVE' },
        requestId: ID,
      },
    ],
  ],
];

export function sampleAnswer({ service, path }: Pick<Received, 'service' | 'path'>): { status: number; text: string } {
  return { status: 200, text: JSON.stringify(bodyOf(service, path)) };
}

function bodyOf(service: string, path: string): unknown {
  if (path.includes('=nobody')) return { items: [], nextPageToken: null };
  if (path.startsWith('/overview')) return OVERVIEWS[service];
  if (path.startsWith('/partners/tea-shop') && !path.includes('beneficiaries')) return service === 'gateway' ? partner : receiver;
  if (path === '/partners') return { items: [partner] };
  if (path.startsWith('/stores')) return { items: service === 'withdrawals' ? [usdtStore] : [shop] };
  const found = ANSWERS.find(([beginning]) => path.startsWith(beginning))?.[1] ?? [];
  return Array.isArray(found) ? { items: found, nextPageToken: null } : found;
}

const account = {
  login: 'anna@example.com',
  name: 'Anna',
  role: 'admin',
  disabledAt: null,
  hasSecondFactor: true,
  hasPassword: true,
  hasPasskey: false,
  lockedUntil: null,
  createdAt: AT,
};
const browser = {
  address: '203.0.113.7',
  userAgent: 'Browser/1 (an unusually long name of a browser, as they are)',
  signedInAt: AT,
  lastUsedAt: LATER,
  endsAt: LATER,
};

/** What the console itself answers to an administrator, by the path below `/api/`. */
export const OWN_ANSWERS: Readonly<Record<string, unknown>> = {
  session: { ...account, mustChangePassword: false, mustSetUpSecondFactor: false },
  'sign-in-options': { company: 'company' },
  waiting: { withdrawals: 5, exceptions: 2, proposals: 1, 'dead-letters': 3 },
  'auth/passkey/list-user-passkeys': [{ id: ID, name: 'Laptop', createdAt: AT }],
  operators: {
    items: [account, { ...account, login: 'oleg@example.com', name: 'Oleg', role: 'operator', hasSecondFactor: false, lockedUntil: LATER }],
  },
  'account-changes': {
    items: [
      {
        id: ID,
        kind: 'CREATE',
        login: 'olga@example.com',
        role: 'finance',
        signIn: 'password',
        status: 'PROPOSED',
        proposedBy: 'boris@example.com',
        proposedAt: AT,
        decidedBy: null,
      },
    ],
  },
  sessions: {
    items: [
      { sessionId: ID, login: 'anna@example.com', name: 'Anna', ...browser, isOwn: true },
      { sessionId: ID.replace('9c', '8c'), login: 'oleg@example.com', name: 'Oleg', ...browser, isOwn: false },
    ],
  },
  'audited-actions': {
    items: [
      {
        position: '1',
        at: AT,
        requestId: ID,
        operator: 'oleg@example.com',
        role: 'operator',
        action: 'partners.suspend',
        subjectId: 'tea-shop',
        status: 200,
        before: { status: 'ACTIVE' },
        requested: {},
        after: { status: 'SUSPENDED' },
      },
    ],
    nextPageToken: null,
  },
};
