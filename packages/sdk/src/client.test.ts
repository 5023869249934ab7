import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { startApiServer, type ApiServer } from '../test/api-server.ts';
import { createClient, type Client } from './client.ts';
import { ApiError, NoAnswerError } from './errors.ts';
import { generateKeys } from './keys.ts';

const keys = generateKeys();
const partner = { partnerID: 'partner-a', publicKey: keys.publicKey };
const payment = {
  orderID: 'A-1',
  amount: '10.50',
  currency: 'RUB',
  description: 'Чай',
  customerID: 'c1',
} as const;
const created = {
  id: '5f0c7a52-6a0a-4d0e-9a52-0e6a2a4a9f11',
  orderID: 'A-1',
  currency: 'RUB',
  status: 'SUBMITTED',
  paymentUrl: 'https://pay.example/p/x',
  expiresAt: '2026-11-20T11:00:00.000Z',
  statusUrl: '/api/card/5f0c7a52-6a0a-4d0e-9a52-0e6a2a4a9f11',
};

describe('the client', () => {
  let server: ApiServer;
  let client: Client;
  let seen = 0;
  beforeAll(async () => {
    server = await startApiServer(partner);
    client = createClient({ baseUrl: server.url, ...partner, privateKeyPem: keys.privateKeyPem, backoffMs: 1 });
  });
  afterAll(async () => {
    client.close();
    await server.close();
  });
  beforeEach(() => {
    seen = server.requests.length;
  });
  const sent = () => server.requests.slice(seen);

  it('puts the amount on the wire as the number that was written, and hands amounts back as written', async () => {
    server.reply({
      status: 201,
      text: JSON.stringify({ ...created, amount: 0 }).replace('"amount":0', '"amount":10.50'),
    });
    const answer = await client.createCardPayment(payment);
    expect(sent()[0]?.body).toContain('"amount":10.50,');
    expect(answer).toEqual({ ...created, amount: '10.50' });
  });

  it.each(['1e2', '10.505', '-1', '01', '', '1,5', ' 1', 'NaN', '10.'])('refuses the amount %j before anything is sent', async (amount) => {
    await expect(client.createCardPayment({ ...payment, amount })).rejects.toThrow(TypeError);
    expect(sent()).toEqual([]);
  });

  it('an amount larger than a double holds arrives digit for digit', async () => {
    server.reply({ status: 201, body: { ...created, amount: 1 } });
    await client.createCardPayment({ ...payment, amount: '900719925474099.01' });
    expect(sent()[0]?.body).toContain('"amount":900719925474099.01,');
  });

  it('each of its own methods calls its endpoint', async () => {
    server.reply({
      status: 200,
      body: {
        items: [],
        callbackUrl: null,
        returnUrl: null,
        secret: 'x',
        id: 'y',
        paymentId: 'z',
        bindingId: 'b',
        withdrawalRequestId: 'w',
        storeId: 's',
      },
    });
    const charge = {
      merchantOrderId: 'S-2',
      amount: '990.00',
      currency: 'RUB',
      bindingId: 'b/1',
      description: 'Plan',
    } as const;
    await client.listPaymentPoints();
    await client.readEndpoints();
    await client.saveEndpoints({ callbackUrl: 'https://shop.example/cb', returnUrl: 'https://shop.example/back' });
    await client.issueCallbackSecret({ confirmSecureStorage: true });
    await client.readCardPayment(created.id);
    await client.cancelCardPayment('c/1');
    await client.cancelQrPayment('q/1');
    await client.listCardPayments({ customerID: 'buyer & son', status: 'COMPLETED', from: '2026-11-21T00:00:00Z' });
    expect(await client.findCardPayment('A-1')).toBeUndefined();
    await client.createRecurringPayment(charge);
    await client.listBindings({ customerId: 'buyer & son', status: 'ACTIVE', limit: 5 });
    await client.readBinding('b/1');
    await client.revokeBinding('b/1');
    const wanted = { storeId: 's', amountUsdt: '12.5', beneficiaryRef: 'bnf-1' };
    await client.createWithdrawalRequest(wanted);
    await client.readWithdrawalRequest('w/1');
    await client.listWithdrawalRequests({ storeId: 's', status: 'REQUESTED', limit: 5 });
    await client.cancelWithdrawalRequest('w/1');
    await client.readWithdrawalBalance('s/1');
    expect(sent().map(({ method, target, body }) => `${method} ${target} ${body}`)).toEqual([
      'GET /api/integration/payment-points ',
      'GET /api/integration/endpoints ',
      'PUT /api/integration/endpoints {"callbackUrl":"https://shop.example/cb","returnUrl":"https://shop.example/back"}',
      'POST /api/integration/callback-secret {"confirmSecureStorage":true}',
      `GET /api/card/${created.id} `,
      'POST /api/card/c%2F1/cancel ',
      'POST /api/qr/q%2F1/cancel ',
      'GET /api/card?customerID=buyer%20%26%20son&status=COMPLETED&from=2026-11-21T00%3A00%3A00Z ',
      'GET /api/card?orderID=A-1 ',
      `POST /v1/recurring-payments ${JSON.stringify(charge)}`,
      'GET /v1/bindings?customerId=buyer%20%26%20son&status=ACTIVE&limit=5 ',
      'GET /v1/bindings/b%2F1 ',
      'POST /v1/bindings/b%2F1/revoke ',
      `POST /api/withdrawal-requests ${JSON.stringify(wanted)}`,
      'GET /api/withdrawal-requests/w%2F1 ',
      'GET /api/withdrawal-requests?storeId=s&status=REQUESTED&limit=5 ',
      'POST /api/withdrawal-requests/w%2F1/cancel ',
      'GET /api/withdrawal-balances/s%2F1 ',
    ]);
  });

  describe('repeats', () => {
    it.each([
      ['a cut connection', { status: 0, cut: true }],
      ['409 IDEMPOTENCY_KEY_IN_PROGRESS', { status: 409, headers: { 'Retry-After': '0' }, body: { code: 'IDEMPOTENCY_KEY_IN_PROGRESS' } }],
      ['429', { status: 429, headers: { 'Retry-After': '0' }, body: { code: 'RATE_LIMITED' } }],
      ['503', { status: 503, headers: { 'Retry-After': '0' }, body: { code: 'ROUTE_UNAVAILABLE' } }],
      ['503 without Retry-After, from a proxy', { status: 503, text: '<html>' }],
    ])('%s: same key, same bytes, a new nonce and signature', async (_name, refusal) => {
      server.reply(refusal, refusal, { status: 201, body: { ...created, amount: 1 } });
      await client.createCardPayment(payment);
      expect(sent()).toHaveLength(3);
      expect(new Set(sent().map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
      expect(new Set(sent().map(({ body }) => body)).size).toBe(1);
      expect(new Set(sent().map(({ authorization }) => authorization['nonce'])).size).toBe(3);
      expect(new Set(sent().map(({ authorization }) => authorization['sign'])).size).toBe(3);
      expect(sent()[0]?.idempotencyKey).toMatch(/^[\x21-\x7e]{16,128}$/);
    });

    it.each([
      [400, 'VALIDATION_FAILED'],
      [401, 'UNAUTHORIZED'],
      [404, 'NOT_FOUND'],
      [409, 'IDEMPOTENCY_KEY_REUSED'],
      [409, 'DUPLICATE_ORDER'],
      [500, 'INTERNAL_ERROR'],
    ])('%d %s never', async (status, code) => {
      server.reply({ status, body: { error: 'no', code, requestId: 'r-1' } });
      await expect(client.createCardPayment(payment)).rejects.toMatchObject({ status, code, requestId: 'r-1' });
      expect(sent()).toHaveLength(1);
    });

    it('four attempts at most; then says that the outcome is unknown and with which key to ask again', async () => {
      server.reply({ status: 0, cut: true });
      const error = await client.createCardPayment(payment, { idempotencyKey: 'order-key-0000000001' }).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(NoAnswerError);
      expect(error).toMatchObject({ idempotencyKey: 'order-key-0000000001' });
      expect(sent()).toHaveLength(4);
    });

    it('not when Retry-After is longer than it may wait: the error tells how long', async () => {
      server.reply({
        status: 503,
        headers: { 'Retry-After': '3600' },
        body: { code: 'SERVICE_UNAVAILABLE', error: 'later' },
      });
      await expect(client.readCardPayment('x')).rejects.toMatchObject({ retryAfterSeconds: 3600 });
      expect(sent()).toHaveLength(1);
    });

    it('a Retry-After of two lines: the longer; behind informational responses, too (K2, K3)', async () => {
      server.reply({
        status: 503,
        respond: (_request, res) => {
          res.writeContinue();
          res.writeProcessing();
          res.writeHead(503, ['Content-Type', 'application/json', 'Retry-After', '60', 'Retry-After', '9999999999 ']);
          res.end('{"code":"SERVICE_UNAVAILABLE"}');
        },
      });
      await expect(client.readCardPayment('x')).rejects.toMatchObject({ status: 503, retryAfterSeconds: 86_400 });
    });

    it('waits as long as Retry-After says', async () => {
      server.reply(
        { status: 503, headers: { 'Retry-After': '1' }, body: { code: 'SERVICE_UNAVAILABLE' } },
        { status: 200, body: { id: 'x' } },
      );
      const startedAt = performance.now();
      await client.readCardPayment('x');
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
    });

    it('not a request that is unsafe to repeat: DELETE without a key', async () => {
      server.reply({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } });
      await expect(client.request({ method: 'DELETE', target: '/x' })).rejects.toBeInstanceOf(ApiError);
      expect(sent()).toHaveLength(1);
    });

    it('stops when the caller gives up', async () => {
      server.reply({ status: 503, headers: { 'Retry-After': '20' }, body: { code: 'SERVICE_UNAVAILABLE' } });
      const giveUp = new AbortController();
      const call = client.readCardPayment('x', { signal: giveUp.signal });
      giveUp.abort(new Error('enough'));
      await expect(call).rejects.toThrow('enough');
    });

    it('an aborted POST hands over the key that was made for it', async () => {
      const giveUp = new AbortController();
      const reason = new Error('enough');
      server.reply({
        status: 201,
        body: created,
        onRequest: () => {
          giveUp.abort(reason);
        },
      });
      const error = await client.createCardPayment(payment, { signal: giveUp.signal }).catch((e: unknown) => e);
      expect(error).toBeInstanceOf(NoAnswerError);
      expect(error).toMatchObject({ cause: reason, idempotencyKey: sent()[0]?.idempotencyKey });
      expect(sent()[0]?.idempotencyKey).toMatch(/^[\x21-\x7e]{16,128}$/);
      expect(sent()).toHaveLength(1);
    });

    it('sends nothing for a caller who gave up before', async () => {
      const call = client.createCardPayment(payment, { signal: AbortSignal.abort(new Error('too late')) });
      await expect(call).rejects.toThrow('too late');
      await expect(call).rejects.not.toBeInstanceOf(NoAnswerError);
      expect(sent()).toEqual([]);
    });
  });

  it.each([
    ['DUPLICATE_ORDER', { paymentId: 'p-1' }, { paymentId: 'p-1' }],
    ['DUPLICATE_ORDER', { refundId: 'r-1' }, { refundId: 'r-1', paymentId: undefined }],
    ['PREVIOUS_CHARGE_NOT_FINISHED', { paymentId: 'p-1' }, { paymentId: 'p-1', retryNotBefore: undefined }],
    ['RETRY_NOT_ALLOWED', { retryNotBefore: null }, { retryNotBefore: null }],
    ['RETRY_NOT_ALLOWED', { retryNotBefore: '2026-12-20T10:00:00.000Z' }, { retryNotBefore: new Date('2026-12-20T10:00:00.000Z') }],
  ])('19: %s carries %j', async (code, members, expected) => {
    server.reply({ status: 409, body: { error: 'no', code, requestId: 'r-3', ...members } });
    const error = await client.createCardPayment(payment).catch((e: unknown) => e);
    expect(error).toMatchObject({ name: 'ApiError', code, ...expected });
  });

  it('a refusal carries code, details, request id and nextChargeAt', async () => {
    server.reply({
      status: 409,
      body: {
        error: 'the recurring period has not elapsed',
        code: 'PERIOD_NOT_ELAPSED',
        requestId: 'r-2',
        nextChargeAt: '2026-12-20T10:00:00.000Z',
        details: [{ field: 'bindingId', message: 'too early' }],
      },
    });
    const error = await client.request({ method: 'POST', target: '/v1/recurring-payments', body: {} }).catch((e: unknown) => e);
    expect(error).toMatchObject({
      name: 'ApiError',
      code: 'PERIOD_NOT_ELAPSED',
      requestId: 'r-2',
      nextChargeAt: new Date('2026-12-20T10:00:00.000Z'),
      details: [{ field: 'bindingId', message: 'too early' }],
      message: 'the recurring period has not elapsed; bindingId: too early',
    });
  });

  it("an answer that is not the service's own has the code UNREADABLE; a redirect is not followed", async () => {
    server.reply({ status: 302, headers: { Location: 'https://elsewhere.example' }, text: '<html>' });
    await expect(client.readCardPayment('x')).rejects.toMatchObject({ code: 'UNREADABLE', status: 302 });
  });

  it("a page where a register's file was asked for is no answer", async () => {
    const page = { status: 200, headers: { 'Content-Type': 'text/html' }, text: '<html>' };
    server.reply(page, { status: 200, headers: { 'Content-Type': 'text/csv; charset=utf-8' }, text: 'line\r\n' });
    await expect(client.readRegisterCsv('2026-11-22')).resolves.toBe('line\r\n');
    server.reply(page);
    await expect(client.readRegisterCsv('2026-11-22')).rejects.toThrow(NoAnswerError);
  });

  it('whatever the target, key and body: what is signed is what the server computes from what arrives', async () => {
    server.reply({ status: 200, body: {} });
    const piece = fc.constantFrom(...`a b c X 9 - . _ ~ + ! ' ( ) * @ : ; , = / ? $ %20 %26 %3D %2B %2f %D1%87`.split(' '));
    const text = fc.string({ unit: piece, maxLength: 20 });
    const path = fc.array(
      fc.string({
        unit: fc.constantFrom(...`a b 0 9 - . _ ~ ! ' ( ) * @ : ; , = $ &`.split(' ')),
        minLength: 1,
        maxLength: 8,
      }),
      { maxLength: 4 },
    );
    const call = fc.record({
      method: fc.constantFrom('GET' as const, 'POST' as const, 'PUT' as const),
      path: path.map((segments) => `/${segments.join('/')}`),
      query: fc.option(fc.array(text, { maxLength: 5 }).map((pairs) => pairs.join('&'))),
      idempotencyKey: fc.option(
        fc.string({
          unit: fc.constantFrom(...'a b X Z ! " # $ % & { } | ~'.split(' ')),
          minLength: 16,
          maxLength: 128,
        }),
      ),
      body: fc.option(fc.uint8Array({ minLength: 1, maxLength: 64 })),
    });
    await fc.assert(
      fc.asyncProperty(call, async ({ method, path: p, query, idempotencyKey, body }) => {
        const target = query === null ? p : `${p}?${query}`;
        // A wrong signature would get a 401 and throw.
        await client.request({
          method,
          target,
          ...(idempotencyKey === null ? {} : { idempotencyKey }),
          ...(body === null || method === 'GET' ? {} : { body }),
        });
        expect(sent().at(-1)).toMatchObject({ method, target });
      }),
      { numRuns: 200 },
    );
  });
});

describe('creating a client', () => {
  const good = { baseUrl: 'https://api.example', ...partner, privateKeyPem: keys.privateKeyPem };
  it.each([
    ['a base address with a path', { baseUrl: 'https://api.example/v2' }, 'origin'],
    ['a base address that is no web address', { baseUrl: 'ftp://api.example' }, 'http'],
    ['a public key of another pair', { publicKey: generateKeys().publicKey }, 'do not match'],
  ])('refuses %s', (_name, change, message) => {
    expect(() => createClient({ ...good, ...change })).toThrow(message);
  });
});
