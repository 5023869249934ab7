import { EVENT_EXAMPLES } from './events.ts';
import { AT, BINDING, CONSENT, EVENT, LATER, PAYMENT, PAYOUT, REFUND, type Examples } from './examples.ts';

const endpoints = { callbackUrl: 'https://shop.example/callbacks', returnUrl: 'https://shop.example/return' };
const saved = { ...endpoints, updatedAt: AT };

const event = {
  eventId: EVENT,
  type: 'payment.completed',
  objectId: PAYMENT,
  aggregateVersion: 1,
  status: 'DELIVERED',
  attemptCount: 1,
  recordedAt: AT,
  nextAttemptAt: null,
  endedAt: LATER,
} as const;

const stream = `retry: 500

id: v1.k1.cXVlc3Rpb24.aW1hZ2luZWQ.YQ

id: v1.k1.cXVlc3Rpb24.aW1hZ2luZWQ.Yg
event: payment.completed
data: ${JSON.stringify({
  eventId: EVENT,
  type: 'payment.completed',
  headers: { 'X-Service-Timestamp': '1795255200', 'X-Service-Signature': 'k1:v1=6f1c…' },
  body: JSON.stringify(EVENT_EXAMPLES['payment.completed']),
})}

`;

const logged = {
  requestId: 'd2a6f0c4-7b1e-4d3a-9c58-0e4f6b7a8c91',
  at: AT,
  method: 'POST',
  path: '/api/card',
  status: 400,
  durationMs: 3.2,
  code: 'VALIDATION_FAILED',
  error: 'the request is not valid',
  details: [{ field: 'amount', message: 'must have at most two decimal places' }],
};

const attempt = {
  number: 1,
  url: endpoints.callbackUrl,
  keyIds: ['k1'],
  startedAt: LATER,
  durationMs: 48,
  httpStatus: 200,
  failure: null,
  outcome: 'DELIVERED',
  answerBase64: null,
  nextAttemptAt: null,
  isReplay: false,
} as const;

const binding = {
  bindingId: BINDING,
  customerId: 'c1',
  status: 'ACTIVE',
  consentId: CONSENT,
  period: 'P1M',
  lastChargedAt: AT,
  nextChargeAt: '2026-12-21T10:00:00.000Z',
  createdAt: AT,
  cardMask: '411111******1111',
  cardExpiry: '2034-12',
} as const;

const payout = { storeId: 'store-demo', amountUsdt: '12.5', beneficiaryRef: 'ben_4f0a' };
const requested = {
  withdrawalRequestId: PAYOUT,
  ...payout,
  amountUsdt: '12.500000',
  status: 'REQUESTED',
  createdAt: AT,
  updatedAt: AT,
} as const;

const day = {
  date: '2026-11-20',
  currency: 'RUB',
  openingBalance: '1000.00',
  payments: '10.50',
  recurringCharges: '0.00',
  refunds: '-4.00',
  fees: '-0.26',
  closingBalance: '1006.24',
  lines: 2,
  parts: 1,
  madeAt: '2026-11-21T00:00:05.000Z',
} as const;

const line = {
  line: 1,
  bookedAt: '2026-11-20T10:01:30.000Z',
  type: 'PAYMENT',
  orderId: PAYMENT,
  merchantOrderId: 'A-1',
  refundId: null,
  merchantRefundId: null,
  paymentPointID: 'point-demo-card',
  paymentMethod: 'CARD',
  amount: '10.50',
  fee: '-0.26',
  net: '10.24',
  balance: '1010.24',
} as const;

const refunded = {
  ...line,
  line: 2,
  type: 'REFUND',
  refundId: REFUND,
  merchantRefundId: 'R-1',
  amount: '-4.00',
  fee: '0.00',
  net: '-4.00',
  balance: '1006.24',
} as const;

const usdtDay = {
  date: '2026-11-20',
  currency: 'USDT',
  openingAvailable: '100.000000',
  openingReserved: '0.000000',
  funded: '0.000000',
  requested: '12.500000',
  released: '0.000000',
  completed: '0.000000',
  closingAvailable: '87.500000',
  closingReserved: '12.500000',
  lines: 1,
  parts: 1,
  madeAt: '2026-11-21T00:00:05.000Z',
} as const;

const usdtLine = {
  line: 1,
  bookedAt: '2026-11-20T10:00:00.000Z',
  type: 'WITHDRAWAL_REQUESTED',
  storeId: 'store-demo',
  withdrawalRequestId: PAYOUT,
  fundingId: null,
  beneficiaryRef: 'ben_4f0a',
  transferReference: null,
  amount: '12.500000',
  availableChange: '-12.500000',
  reservedChange: '12.500000',
  available: '87.500000',
  reserved: '12.500000',
} as const;

type Cells = Readonly<Record<string, number | string | null>>;

/** A whole day as CSV: its columns and rows as the service writes them (docs/partners/registers.md). */
function csvOf(currency: string, opening: Cells, lines: readonly Cells[], closing: Cells): string {
  const columns = [...Object.keys(lines[0] ?? {}), 'currency'];
  const rows = [
    { bookedAt: '2026-11-20T00:00:00.000Z', type: 'OPENING_BALANCE', ...opening, currency },
    ...lines.map((line) => ({ ...line, currency })),
    { bookedAt: '2026-11-21T00:00:00.000Z', type: 'CLOSING_BALANCE', ...closing, currency },
  ].map((row: Cells) => columns.map((column) => String(row[column] ?? '')));
  return [columns, ...rows].map((cells) => `${cells.join(',')}\r\n`).join('');
}

/** Everything but payments and refunds. */
export const OTHER_EXAMPLES: Examples = {
  listPaymentPoints: {
    response: {
      items: [
        {
          paymentPointID: 'point-demo-card',
          storeID: 'store-demo',
          name: 'Cards',
          status: 'ACTIVE',
          paymentMethods: ['CARD'],
        },
        {
          paymentPointID: 'point-demo-qr',
          storeID: 'store-demo',
          name: 'SBP',
          status: 'ACTIVE',
          paymentMethods: ['SBP_DYNAMIC_QR'],
        },
      ],
    },
  },
  saveEndpoints: {
    request: { ...endpoints, extraEvents: ['register.ready'] },
    response: { ...saved, extraEvents: ['register.ready'] },
  },
  readEndpoints: { response: saved },
  issueCallbackSecret: {
    request: { confirmSecureStorage: true },
    response: {
      secret: 'BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=',
      keyId: 'k1',
      algorithm: 'HMAC-SHA256',
      signatureHeader: 'X-Service-Signature',
      issuedAt: AT,
      replayUntil: '2026-11-21T10:05:00.000Z',
    },
  },
  sendTestCallback: { response: { eventId: EVENT, type: 'payment.completed', orderId: PAYMENT } },
  listEvents: { response: { items: [event], nextPageToken: null } },
  readEvent: {
    response: { ...event, body: JSON.stringify(EVENT_EXAMPLES['payment.completed']), attempts: [attempt] },
  },
  replayEvent: { response: { ...event, status: 'WAITING', attemptCount: 0, nextAttemptAt: LATER, endedAt: null } },
  listBindings: { response: { items: [binding], nextPageToken: null } },
  readBinding: { response: binding },
  revokeBinding: { response: { ...binding, status: 'REVOKED', revokedAt: LATER } },
  readWithdrawalBalance: {
    response: { storeId: 'store-demo', currency: 'USDT', availableUsdt: '87.500000', reservedUsdt: '12.500000' },
  },
  createWithdrawalRequest: { request: payout, response: requested },
  listWithdrawalRequests: { response: { items: [requested], nextPageToken: null } },
  streamEvents: { stream },
  listRequests: { response: { items: [logged], nextPageToken: null } },
  streamRequests: {
    stream: `retry: 500\n\nid: MQ.aW1hZ2luZWQ\n\nid: Mg.aW1hZ2luZWQ\nevent: request\ndata: ${JSON.stringify(logged)}\n\n`,
  },
  readWithdrawalRequest: {
    response: {
      ...requested,
      status: 'COMPLETED',
      reviewedAt: LATER,
      completedAt: LATER,
      transferReference: 'tr-2026-11-0042',
      updatedAt: LATER,
    },
  },
  cancelWithdrawalRequest: { response: { ...requested, status: 'CANCELLED', updatedAt: LATER } },
  listRegisters: { response: { items: [day], nextPageToken: null } },
  readRegister: {
    response: { ...day, part: 1, items: [line, refunded] },
    csv: csvOf('RUB', { balance: day.openingBalance }, [line, refunded], { balance: day.closingBalance }),
  },
  listUsdtRegisters: { response: { items: [usdtDay], nextPageToken: null } },
  readUsdtRegister: {
    response: { ...usdtDay, part: 1, items: [usdtLine] },
    csv: csvOf('USDT', { available: usdtDay.openingAvailable, reserved: usdtDay.openingReserved }, [usdtLine], {
      available: usdtDay.closingAvailable,
      reserved: usdtDay.closingReserved,
    }),
  },
};
