import { listen } from '@pay/shared/http/server.ts';
import { createLog } from '@pay/shared/logging/logger.ts';
import { trustedProxies } from '@pay/shared/net/client-address.ts';
import type {
  CallbackEventStory,
  CardPayment,
  Endpoints,
  PaymentPoint,
  QrPayment,
  Refund,
  Register,
  UsdtRegister,
  WithdrawalBalance,
  WithdrawalRequest,
} from '@pay/sdk/types.ts';
import { obtainBundle } from '../src/bundle/bundle.ts';
import { createPortalApp } from '../src/portal/app.ts';
import type { PortalGateway } from '../src/portal/gateway.ts';
import { SAMPLE_ID as ID } from './sample-answers.ts';
import type { SamplePages } from './sample-pages.ts';

/** The portal before a gateway whose answers never change: a few rows of everything. */
export async function startSamplePortal(): Promise<SamplePages> {
  const deps = {
    log: createLog('portal', 'silent'),
    gateway: answerAlike,
    publicUrl: 'http://portal.test',
    proxies: trustedProxies.parse('none'),
    environment: 'TEST',
  } as const;
  const listener = await listen(createPortalApp(deps, await obtainBundle('portal')), '127.0.0.1', 0);
  return { origin: `http://127.0.0.1:${String(listener.port)}`, close: () => listener.drain(0) };
}

const AT = '2026-11-21T10:00:00.000Z';
const LATER = '2026-11-21T11:30:00.000Z';

const card: CardPayment = {
  id: ID,
  orderID: 'order-1042',
  amount: '1250.5',
  currency: 'RUB',
  status: 'COMPLETED',
  expiresAt: LATER,
  statusUrl: '/',
  paymentPointID: 'web',
  customerID: 'anna',
  description: 'Tea, 100 g',
  paymentMethod: 'CARD',
  bankOperationId: 'b-77',
  refundedAmount: '250',
  createdAt: AT,
  updatedAt: LATER,
};
const declined: CardPayment = {
  ...card,
  id: ID.replace('9c', '8c'),
  orderID: 'order-1041',
  amount: '36000',
  status: 'REJECTED',
  failureCode: 'INSUFFICIENT_FUNDS',
  paymentMethod: 'CARD_BINDING',
  refundedAmount: '0',
};
const qr: QrPayment = {
  id: ID,
  status: 'COMPLETED',
  amount: '490',
  currency: 'RUB',
  paymentMethod: 'SBP_DYNAMIC_QR',
  paymentPointID: 'qr',
  expiresAt: LATER,
  createdAt: AT,
  statusUrl: '/',
  bankOperationId: 'b-78',
  refundedAmount: '0',
  updatedAt: LATER,
};
const refund: Refund = {
  refundId: ID,
  orderId: ID,
  merchantOrderId: 'order-1042',
  amount: '250',
  refundedAmount: '250',
  currency: 'RUB',
  status: 'COMPLETED',
  reason: 'One item out of stock',
  bankOperationId: 'b-79',
  createdAt: LATER,
  updatedAt: LATER,
  completedAt: LATER,
  statusUrl: '/',
};
const event: CallbackEventStory = {
  eventId: ID,
  type: 'payment.completed',
  objectId: ID,
  aggregateVersion: 1,
  status: 'REFUSED',
  attemptCount: 2,
  recordedAt: AT,
  nextAttemptAt: null,
  endedAt: LATER,
  body: '{"type":"payment.completed","data":{"amount":1250.5}}',
  attempts: [1, 2].map((number) => ({
    number,
    url: 'https://shop.example/callbacks',
    keyIds: ['k1'],
    startedAt: LATER,
    durationMs: 120,
    httpStatus: number === 1 ? 503 : 400,
    failure: null,
    outcome: number === 1 ? 'RETRY' : 'REFUSED',
    answerBase64: 'bm8gc3VjaCBvcmRlcg==',
    nextAttemptAt: null,
    isReplay: false,
  })),
};
const endpoints: Endpoints = { callbackUrl: 'https://shop.example/callbacks', returnUrl: 'https://shop.example/thanks', updatedAt: AT };
const points: readonly PaymentPoint[] = [
  { paymentPointID: 'web', storeID: 'tea', name: 'Web shop', status: 'ACTIVE', paymentMethods: ['CARD'] },
  { paymentPointID: 'qr', storeID: 'tea', name: 'At the counter', status: 'ACTIVE', paymentMethods: ['SBP_DYNAMIC_QR'] },
];
const balance: WithdrawalBalance = { storeId: 'tea', currency: 'USDT', availableUsdt: '9000.000000', reservedUsdt: '1000.000000' };
const withdrawal: WithdrawalRequest = {
  withdrawalRequestId: ID,
  storeId: 'tea',
  amountUsdt: '12500.000000',
  beneficiaryRef: 'ben-1',
  status: 'REQUESTED',
  createdAt: AT,
  updatedAt: AT,
};
const paidOut: WithdrawalRequest = {
  ...withdrawal,
  withdrawalRequestId: ID.replace('9c', '8c'),
  status: 'COMPLETED',
  transferReference: `0x${'a1'.repeat(32)}`,
  completedAt: LATER,
};
const rubles: Register = {
  date: '2026-11-20',
  currency: 'RUB',
  openingBalance: '75562.50',
  payments: '12500.00',
  recurringCharges: '590.00',
  refunds: '-250.00',
  fees: '-327.25',
  closingBalance: '88075.25',
  lines: 5_100,
  parts: 2,
  madeAt: AT,
};
const usdt: UsdtRegister = {
  date: '2026-11-20',
  currency: 'USDT',
  openingAvailable: '9000.000000',
  openingReserved: '0.000000',
  funded: '1000.000000',
  requested: '-500.000000',
  released: '0.000000',
  completed: '-500.000000',
  closingAvailable: '9500.000000',
  closingReserved: '0.000000',
  lines: 4,
  parts: 1,
  madeAt: AT,
};
const requests = [
  {
    requestId: ID,
    at: LATER,
    method: 'POST',
    path: '/api/card',
    status: 400,
    durationMs: 12,
    code: 'VALIDATION_FAILED',
    error: 'The request is not valid.',
    details: [{ field: 'amount', message: 'must be greater than zero' }],
  },
  { requestId: ID, at: AT, method: 'GET', path: `/api/card/${ID}`, status: 200, durationMs: 9, code: null, error: null, details: [] },
];
const key = {
  keyId: ID,
  comment: 'tea',
  fingerprint: `SHA256:${'aB3'.repeat(14)}x`,
  status: 'ACTIVE',
  registeredAt: AT,
  activatedAt: LATER,
  revokedAt: null,
};
const session = { partnerID: 'tea-shop', name: 'Tea shop', keyId: ID, fingerprint: key.fingerprint, startedAt: AT, environment: 'TEST' };

const page = (...items: readonly unknown[]) => ({ items, nextPageToken: null });

/** The first whose beginning the path has. */
const ANSWERS: readonly (readonly [string, unknown])[] = [
  ['/keys', { items: [key, { ...key, keyId: ID.replace('9c', '8c'), comment: null, status: 'PENDING', activatedAt: null }] }],
  ['/test-clock', { now: '2026-12-21T12:00:00.000Z', aheadSeconds: 2_592_000 }],
  [`/partner/api/card/${ID}/refunds`, page(refund)],
  [`/partner/api/card/${ID}`, card],
  ['/partner/api/card', page(card, declined)],
  [`/partner/api/qr/${ID}/refunds`, page()],
  [`/partner/api/qr/${ID}`, qr],
  ['/partner/api/payments/qr', page(qr)],
  [`/partner/api/events/${ID}`, event],
  ['/partner/api/events', page(event)],
  ['/partner/api/integration/payment-points', { items: points }],
  ['/partner/api/integration/endpoints', endpoints],
  ['/partner/api/withdrawal-balances/tea', balance],
  ['/partner/api/withdrawal-requests', page(withdrawal, paidOut)],
  ['/partner/api/registers/RUB', page(rubles)],
  ['/partner/api/registers/USDT', page(usdt)],
  ['/partner/api/requests', page(...requests)],
];

const answerAlike: PortalGateway = ({ path, token }) => {
  const found = path === '/session' ? session : ANSWERS.find(([beginning]) => path.startsWith(beginning))?.[1];
  const status = token === undefined ? 401 : found === undefined ? 404 : 200;
  const body = Buffer.from(JSON.stringify(found ?? { error: 'nobody is signed in' }));
  return Promise.resolve({ status, headers: { 'content-type': 'application/json' }, body });
};
