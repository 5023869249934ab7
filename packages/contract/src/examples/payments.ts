import { AT, BINDING, LATER, PAYMENT, REFUND, type Examples } from './examples.ts';

const paymentUrl = 'https://pay.example/pay/4-ooews9R9vhTA7X4i_1jKkweQwzI-6JYvInjSl4fzk';

const card = {
  id: PAYMENT,
  orderID: 'A-1',
  amount: 10.5,
  currency: 'RUB',
  status: 'SUBMITTED',
  expiresAt: '2026-11-21T11:00:00.000Z',
  statusUrl: `/api/card/${PAYMENT}`,
} as const;

const paidCard = {
  ...card,
  status: 'COMPLETED',
  paymentPointID: 'point-demo-card',
  customerID: 'c1',
  description: 'Tea',
  paymentMethod: 'CARD',
  bankOperationId: '730114',
  refundedAmount: '0.00',
  createdAt: AT,
  updatedAt: LATER,
} as const;

const cancelledCard = {
  ...paidCard,
  status: 'CANCELLED',
  failureCode: 'CANCELLED_BY_PARTNER',
  bankOperationId: null,
} as const;

const qr = {
  id: PAYMENT,
  status: 'SUBMITTED',
  amount: 10.5,
  currency: 'RUB',
  paymentMethod: 'SBP_DYNAMIC_QR',
  paymentPointID: 'point-demo-qr',
  expiresAt: '2026-11-21T11:00:00.000Z',
  createdAt: AT,
  statusUrl: `/api/qr/${PAYMENT}`,
} as const;

const code = {
  nspkurl: 'https://qr.nspk.ru/AD10006M8KH234K782OQM0L13JI31LQD?type=02&bank=100000000009&sum=1050&cur=RUB',
  qrImage: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=',
  paymentUrl,
} as const;

const paidQr = {
  ...qr,
  status: 'COMPLETED',
  bankOperationId: 'A63250912',
  refundedAmount: '0.00',
  updatedAt: LATER,
} as const;

const refund = {
  refundId: REFUND,
  orderId: PAYMENT,
  merchantOrderId: 'A-1',
  merchantRefundId: 'R-1',
  amount: '4.00',
  refundedAmount: '0.00',
  currency: 'RUB',
  status: 'PENDING',
  reason: 'One of two came back',
  bankOperationId: null,
  createdAt: AT,
  updatedAt: AT,
  statusUrl: `/api/refunds/${REFUND}`,
} as const;

const done = {
  ...refund,
  refundedAmount: '4.00',
  status: 'COMPLETED',
  bankOperationId: '730115',
  updatedAt: LATER,
  completedAt: LATER,
} as const;

const part = { amount: '4.00', reason: 'One of two came back', merchantRefundId: 'R-1' };

/** Payments and refunds. */
export const PAYMENT_EXAMPLES: Examples = {
  createCardPayment: {
    request: {
      paymentPointID: 'point-demo-card',
      orderID: 'A-1',
      amount: 10.5,
      currency: 'RUB',
      description: 'Tea',
      customerID: 'c1',
    },
    response: { ...card, paymentUrl },
  },
  listCardPayments: { response: { items: [paidCard], nextPageToken: null } },
  readCardPayment: { response: paidCard },
  cancelCardPayment: { response: cancelledCard },
  refundCardPayment: { request: part, response: refund },
  listCardRefunds: { response: { items: [done], nextPageToken: null } },
  createQrPayment: {
    request: { paymentPointID: 'point-demo-qr', amount: 10.5, description: 'Tea' },
    response: { ...qr, ...code },
  },
  readQrPayment: { response: paidQr },
  cancelQrPayment: {
    response: { ...paidQr, status: 'CANCELLED', failureCode: 'CANCELLED_BY_PARTNER', bankOperationId: null },
  },
  refundQrPayment: { request: {}, response: { ...refund, merchantOrderId: '', amount: '10.50' } },
  listQrRefunds: { response: { items: [{ ...done, merchantOrderId: '' }], nextPageToken: null } },
  listQrPayments: { response: { items: [paidQr], nextPageToken: null } },
  readRefund: { response: done },
  createRecurringPayment: {
    request: {
      merchantOrderId: 'S-2',
      amount: '990.00',
      currency: 'RUB',
      bindingId: BINDING,
      description: 'December',
    },
    response: {
      paymentId: PAYMENT,
      merchantOrderId: 'S-2',
      status: 'SUBMITTED',
      amount: '990.00',
      currency: 'RUB',
      paymentMethod: 'CARD_BINDING',
      experience: 'OFF_SESSION',
      bindingId: BINDING,
      createdAt: AT,
      statusUrl: `/api/card/${PAYMENT}`,
    },
  },
};
