import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ErrorBody } from '../packages/contract/src/api/errors.ts';
import type { Operation } from '../packages/contract/src/api/operation.ts';
import { OPERATIONS } from '../packages/contract/src/api/operations.ts';
import type { RequestInput } from '../packages/sdk/src/client.ts';
import { ApiError } from '../packages/sdk/src/errors.ts';
import { givenRequest } from './console.ts';
import { givenBinding } from './saved-card.ts';
import { CARDS, openWorld, until, type Arrival, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await world.bank.resetClock();
  await world.close();
});

type Call = Pick<RequestInput, 'target' | 'body'>;

/** One valid call of every operation of the document, against the running system. */
const GOOD: Readonly<Record<string, () => Call | Promise<Call>>> = {
  createCardPayment: () => ({ target: '/api/card', body: cardPayment() }),
  listCardPayments: async () => ({ target: `/api/card?orderID=${(await world.create()).orderID}` }),
  readCardPayment: async () => ({ target: `/api/card/${(await world.create()).id}` }),
  cancelCardPayment: async () => ({ target: `/api/card/${(await world.create()).id}/cancel` }),
  cancelQrPayment: async () => ({ target: `/api/qr/${(await createQr()).id}/cancel` }),
  createQrPayment: () => ({
    target: '/api/qr',
    body: Buffer.from(`{"amount":10.50,"paymentPointID":"${world.partner.paymentPoints.qr}"}`),
  }),
  readQrPayment: async () => ({ target: `/api/qr/${(await createQr()).id}` }),
  listQrPayments: async () => {
    await createQr();
    return { target: `/api/payments/${world.partner.paymentPoints.qr}?limit=1` };
  },
  refundCardPayment: async () => ({ target: `/api/card/${await paidCard()}/refunds`, body: { amount: '1.00' } }),
  refundQrPayment: async () => ({ target: `/api/qr/${await paidQr()}/refunds`, body: {} }),
  readRefund: async () => {
    const { refundId } = await world.client.refundCardPayment(await paidCard(), { reason: 'Cold' });
    return { target: `/api/refunds/${refundId}` };
  },
  listCardRefunds: async () => {
    const id = await paidCard();
    await world.client.refundCardPayment(id);
    return { target: `/api/card/${id}/refunds` };
  },
  listQrRefunds: async () => {
    const id = await paidQr();
    await world.client.refundQrPayment(id, { merchantRefundId: randomUUID() });
    return { target: `/api/qr/${id}/refunds` };
  },
  listPaymentPoints: () => ({ target: '/api/integration/payment-points' }),
  saveEndpoints: async () => {
    const { callbackUrl, returnUrl } = await world.client.readEndpoints();
    return { target: '/api/integration/endpoints', body: { callbackUrl, returnUrl } };
  },
  readEndpoints: () => ({ target: '/api/integration/endpoints' }),
  sendTestCallback: async () => {
    await told();
    return { target: '/api/integration/test-callback' };
  },
  listRegisters: () => ({ target: '/api/registers/RUB?limit=1' }),
  readRegister: async () => {
    await world.bank.advanceClock('P2D');
    const { date } = await until('a day to be closed', async () => (await world.client.listRegisters()).items[0]);
    return { target: `/api/registers/RUB/${date}` };
  },
  listUsdtRegisters: () => ({ target: '/api/registers/USDT?limit=1' }),
  readUsdtRegister: async () => {
    await world.bank.advanceClock('P2D');
    const { date } = await until('a day in USDT to be closed', async () => (await world.client.listUsdtRegisters()).items[0]);
    return { target: `/api/registers/USDT/${date}` };
  },
  listRequests: () => Promise.resolve({ target: '/api/requests?limit=100' }),
  listEvents: async () => ({ target: `/api/events?objectId=${(await told()).orderId}` }),
  readEvent: async () => ({ target: `/api/events/${(await told()).eventId}` }),
  replayEvent: async () => ({ target: `/api/events/${(await told()).eventId}/replay` }),
  createRecurringPayment: async () => {
    const { bindingId } = await givenBinding(world, 'PT1M');
    await world.bank.advanceClock('PT1M');
    const merchantOrderId = `e2e-${randomUUID()}`;
    const charge = { merchantOrderId, amount: '990.00', currency: 'RUB', bindingId, description: 'Tea, monthly' };
    return { target: '/v1/recurring-payments', body: charge };
  },
  listBindings: async () => {
    const { customerId } = await givenBinding(world, 'P1M');
    return { target: `/v1/bindings?customerId=${customerId}` };
  },
  readBinding: async () => ({ target: `/v1/bindings/${(await givenBinding(world, 'P1M')).bindingId}` }),
  revokeBinding: async () => ({ target: `/v1/bindings/${(await givenBinding(world, 'P1M')).bindingId}/revoke` }),
  readWithdrawalBalance: () => ({ target: `/api/withdrawal-balances/${world.partner.storeID}` }),
  createWithdrawalRequest: () => {
    const { storeID: storeId, beneficiaryRef } = world.partner;
    return { target: '/api/withdrawal-requests', body: { storeId, amountUsdt: '0.5', beneficiaryRef } };
  },
  listWithdrawalRequests: async () => {
    await givenRequest(world, '0.1');
    return { target: `/api/withdrawal-requests?storeId=${world.partner.storeID}&limit=1` };
  },
  readWithdrawalRequest: async () => ({ target: `/api/withdrawal-requests/${await givenRequest(world, '0.1')}` }),
  cancelWithdrawalRequest: async () => ({
    target: `/api/withdrawal-requests/${await givenRequest(world, '0.1')}/cancel`,
  }),
};
/** The demo partner's secret was issued at startup, which may be minutes or hours ago; a stream does not end. */
const ELSEWHERE: readonly string[] = ['issueCallbackSecret', 'streamEvents', 'streamRequests'];

/** Waits for a callback about a payment of its own. */
async function told(): Promise<Arrival> {
  const payment = await world.create();
  await world.pay(payment, CARDS.approved);
  return world.told(payment.id);
}

async function paidCard(): Promise<string> {
  const payment = await world.create();
  await world.pay(payment, CARDS.approved);
  await world.ended(payment.id);
  return payment.id;
}

const createQr = () => world.client.createQrPayment({ amount: '10.50', paymentPointID: world.partner.paymentPoints.qr });

/** Presses Pay on the page behind the code, as the buyer. */
async function paidQr(): Promise<string> {
  const { id, nspkurl = '' } = await createQr();
  await fetch(nspkurl, { method: 'POST', body: new URLSearchParams({ decision: 'pay' }), redirect: 'manual' });
  await until(`QR payment ${id} to be paid`, async () =>
    (await world.client.readQrPayment(id)).status === 'COMPLETED' ? true : undefined,
  );
  return id;
}

/** `amount` as a JSON number, so the body is written by hand. */
const cardPayment = (): Buffer => Buffer.from(JSON.stringify({ ...world.order(), amount: 0 }).replace('"amount":0', '"amount":10.50'));

const methodOf = (operation: Operation) => operation.method.toUpperCase() as RequestInput['method'];
/** The path of the operation with an id that does not exist. */
const targetOf = (operation: Operation) => operation.path.replace(/\{\w+\}/, randomUUID());

/** The error body of a refused call; it has no members but these. */
async function refusal(call: Pick<RequestInput, 'method' | 'target' | 'body'>) {
  const error: unknown = await world.client.request(call).catch((thrown: unknown) => thrown);
  if (!(error instanceof ApiError)) throw new Error('the call was not refused');
  expect(ErrorBody.parse(error.body)).toEqual(error.body);
  return { status: error.status, code: error.code };
}

describe('the API document', () => {
  it('has an example of every operation here', () => {
    expect([...Object.keys(GOOD), ...ELSEWHERE].sort()).toEqual(OPERATIONS.map((one) => one.operationId).sort());
  });

  it.each(OPERATIONS.filter((one) => !ELSEWHERE.includes(one.operationId)))(
    'says what $operationId answers: its status, every member, and none beside them',
    async (operation) => {
      const call = await GOOD[operation.operationId]?.();
      if (call === undefined) throw new Error(`no example of ${operation.operationId}`);
      const answer = await world.client.request({ ...call, method: methodOf(operation) });
      expect(answer.status).toBe(operation.status);
      const received: unknown = JSON.parse(answer.body.toString('utf8'));
      // Fields that a schema does not name are dropped from its result.
      expect(operation.response?.parse(received)).toEqual(received);
    },
  );

  it.each(OPERATIONS.filter((one) => one.request === undefined && one.path.includes('{')))(
    'says how $operationId answers for what is not there',
    async (operation) => {
      const call = { method: methodOf(operation), target: targetOf(operation) };
      expect(await refusal(call)).toEqual({ status: 404, code: 'NOT_FOUND' });
    },
  );

  it.each(OPERATIONS.filter((one) => one.request !== undefined))(
    'says how $operationId answers to a body that is no object',
    async (operation) => {
      const call = { method: methodOf(operation), target: targetOf(operation), body: Buffer.from('[]') };
      expect(await refusal(call)).toEqual({ status: 400, code: 'VALIDATION_FAILED' });
    },
  );
});

describe('19.13: the Idempotency-Key', () => {
  const page = readFileSync(new URL('../docs/partners/errors.md', import.meta.url), 'utf8');
  /** The parts of the API as listed on the page, each with its commands. */
  const PARTS = page.split('\n').flatMap((line) => {
    const [, commands = ''] = /^\| [a-z ]+ \| (`(?:POST) [^|]+)\|$/.exec(line.replace(/ +\|/g, ' |')) ?? [];
    const named = [...commands.matchAll(/`POST ([^`]+)`/g)].map(([, path = '']) => path);
    return named.length === 0 ? [] : [named];
  });
  const commands = OPERATIONS.filter((one) => one.isIdempotent === true && !ELSEWHERE.includes(one.operationId));

  it('the page lists every command that takes one, once', () => {
    const all = OPERATIONS.filter((one) => one.isIdempotent === true).map(({ path }) => path);
    expect(PARTS.flat().sort()).toEqual(all.sort());
  });

  it.each(commands.filter(({ path }) => PARTS.some(([first]) => first === path)))(
    'one that $operationId took is refused in its own part, and is another one in the others',
    async (first) => {
      const idempotencyKey = randomUUID();
      const send = async (operation: Operation, also: object = {}) => {
        const call = await GOOD[operation.operationId]?.();
        if (call === undefined) throw new Error(`no example of ${operation.operationId}`);
        return world.client.request({ ...call, ...also, method: methodOf(operation), idempotencyKey }).then(
          () => 'done',
          (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
        );
      };
      expect(await send(first)).toBe('done');
      const own = PARTS.find((part) => part.includes(first.path)) ?? [];
      // The first command of each other part binds the key there too: one of each is enough.
      const seen = new Set<readonly string[]>([own]);
      for (const other of commands.filter((one) => one !== first)) {
        const part = PARTS.find((some) => some.includes(other.path)) ?? [];
        expect([other.operationId, await send(other)]).toEqual([other.operationId, seen.has(part) ? 'IDEMPOTENCY_KEY_REUSED' : 'done']);
        seen.add(part);
      }
    },
  );
});
