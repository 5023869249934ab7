import { createHash, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ConsentGiven } from '@pay/contract/messages.ts';
import { sweepLoop } from '@pay/shared/service/sweep.ts';
import { DEFAULT_POINT, goodBody, startTestApp, type Answer, type TestApp } from '../../../test/app.ts';
import { failure, gate, refusal, silence } from '../../../test/bank.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The fields that a 400 names. */
const fieldsOf = (answer: Answer) => (answer.body['details'] as { field: string }[]).map(({ field }) => field);
/** The body as text, with the amount written exactly so. */
const withAmount = (token: string) => JSON.stringify({ ...goodBody(), amount: 0 }).replace('"amount":0', `"amount":${token}`);
const countPayments = async () => Number((await t.rows('select count(*) from payments'))[0]?.['count']);
/** For tests that are many requests; the machine may be busy. */
const LONG_MS = 60_000;

const merchant = {
  period: 'P1M',
  capture: 'MERCHANT',
  reference: 'ref-1',
  version: 'v1',
  acceptedAt: '2026-01-01T00:00:00Z',
  evidenceHash: 'a'.repeat(64),
};

describe('201: the create response', () => {
  it('has every field of the contract, and no other', async () => {
    const answer = await t.create({ orderID: 'A-1._:x', amount: 100.5 });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('idempotency-replayed')).toBeNull();
    expect(answer.body).toEqual({
      id: expect.stringMatching(UUID),
      orderID: 'A-1._:x',
      amount: 100.5,
      currency: 'RUB',
      status: 'SUBMITTED',
      paymentUrl: expect.stringMatching(/^https:\/\/form\.example\/pay\/[A-Za-z0-9_-]{43}$/),
      expiresAt: expect.stringMatching(MOMENT),
      statusUrl: `/api/card/${String(answer.body['id'])}`,
    });
  });

  it('registers exactly one order at the bank, under the payment’s id, with the form’s return address', async () => {
    const { body } = await t.create({ amount: 10, description: 'Tea' });
    const calls = t.bank.calls.filter(({ operationId }) => operationId === body['id']);
    expect(calls).toEqual([
      {
        call: 'register',
        operationId: body['id'],
        body: {
          operationId: body['id'],
          amountKopecks: '1000',
          currency: 'RUB',
          description: 'Tea',
          method: 'CARD',
          expiresAt: body['expiresAt'],
          returnUrl: `${String(body['paymentUrl'])}/return`,
        },
      },
    ]);
  });

  it('a session lasts as long as the payment point says', async () => {
    const { partner, point } = await t.givenPartner({ sessionMinutes: 5 });
    const { body } = await t.create({ paymentPointID: point }, { partner });
    const row = await t.payment(body['id']);
    expect((row['expires_at'] as Date).getTime() - (row['created_at'] as Date).getTime()).toBe(5 * 60_000);
  });

  it('the point may be left out when the partner has one active point', async () => {
    const { partner } = await t.givenPartner();
    expect((await t.create({ paymentPointID: undefined }, { partner })).status).toBe(201);
  });
});

describe('amount', () => {
  it.each([
    ['100', '100'],
    ['100.5', '100.5'],
    ['100.05', '100.05'],
    ['0.01', '0.01'],
    ['10.50', '10.5'],
  ])('%s is stored exactly and echoed as the number %s (C01)', async (token, echoed) => {
    const answer = await t.call('POST', '/api/card', { raw: withAmount(token) });
    expect(answer.status).toBe(201);
    expect(answer.text).toContain(`"amount":${echoed},`);
    expect((await t.read(answer.body['id'])).text).toContain(`"amount":${echoed},`);
  });

  it.each([
    ['C02', '100.005'],
    ['C02', '0.001'],
    ['C02', '0.30000000000000004'],
    ['C03', '1e2'],
    ['C03', '1E+2'],
    ['C03', '100.000'],
    ['C04', '0'],
    ['C04', '0.00'],
    ['C04', '-0'],
    ['C04', '-0.01'],
    ['C05', '1e400'],
    ['C05', '9007199254740993.01'],
    ['C06', '"100"'],
    ['C06', 'null'],
    ['C06', 'true'],
    ['C06', '[100]'],
    ['C06', '{"value":100}'],
  ])('%s 400: %s', async (_case, token) => {
    const answer = await t.call('POST', '/api/card', { raw: withAmount(token) });
    expect([answer.status, answer.body['code']]).toEqual([400, 'VALIDATION_FAILED']);
    expect(fieldsOf(answer)).toEqual(['amount']);
  });

  it.each(['NaN', 'Infinity', '0x10', '1_000', '00.1', '.5', '1.', '+1'])('400: %s is not JSON (C13)', async (token) => {
    const answer = await t.call('POST', '/api/card', { raw: withAmount(token) });
    expect([answer.status, answer.body['code']]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('400: outside the limits of the point, and of its route; the limits themselves are good (C17)', async () => {
    const { partner, point } = await t.givenPartner({ minAmountKopecks: 1_000n, maxAmountKopecks: 200_000_000n });
    const status = async (amount: number) => (await t.create({ paymentPointID: point, amount }, { partner })).status;
    // The point allows two million, its route one.
    expect(await Promise.all([9.99, 10, 1_000_000, 1_000_000.01].map(status))).toEqual([400, 201, 201, 400]);
  });

  it(
    'property: random kopecks come back identical from the create, the table, the status and the event (C18)',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.bigInt({ min: 1n, max: 100_000_000n }), async (kopecks) => {
          const rubles = `${String(kopecks / 100n)}.${String(kopecks % 100n).padStart(2, '0')}`;
          const shown = rubles.replace(/\.?0+$/, (zeros) => (zeros.includes('.') ? '' : zeros.replace(/0+$/, '')));
          const created = await t.call('POST', '/api/card', { raw: withAmount(rubles) });
          const { id } = created.body;
          const row = await t.payment(id);
          await t.pay(String(row['form_token']));
          const [message] = await t.messages(id);
          expect([created.text, (await t.read(id)).text].every((text) => text.includes(`"amount":${shown},`))).toBe(true);
          expect([row['amount_kopecks'], message?.payload['amountKopecks']]).toEqual([String(kopecks), String(kopecks)]);
        }),
        { numRuns: 100 },
      );
    },
    LONG_MS,
  );
});

describe('every other field to its type and limit', () => {
  it.each<[string, Record<string, unknown>]>([
    ['orderID of 64 (D01)', { orderID: 'x'.repeat(64) }],
    ['customerID of 128 (D04)', { customerID: 'б'.repeat(128) }],
    ['description of 140', { description: 'я'.repeat(140) }],
    ['description of 140 emoji', { description: '🍵'.repeat(140) }],
    ['a description that looks like a formula (D09)', { description: '=1+1' }],
    ['savePaymentMethod false', { savePaymentMethod: false }],
    ['a numeric order number that passes Luhn but is no card', { orderID: '1234567812345670' }],
  ])('201: %s', async (_title, change) => {
    // An order number is used once: this test runs once.
    expect((await t.create(change)).status).toBe(201);
  });

  it.each<[string, string, unknown]>([
    ['65 characters (D01)', 'orderID', 'x'.repeat(65)],
    ['empty (D02)', 'orderID', ''],
    ['a blank (D02)', 'orderID', 'a b'],
    ['a slash (D02)', 'orderID', 'a/b'],
    ['a Cyrillic letter (D02)', 'orderID', 'оrder'],
    ['an emoji (D02)', 'orderID', 'order🍵'],
    ['a line feed at the end (D02)', 'orderID', 'order\n'],
    ['a number', 'orderID', 7],
    ['missing', 'orderID', undefined],
    ['129 characters (D04)', 'customerID', 'x'.repeat(129)],
    ['NUL (D05)', 'customerID', 'a\u0000b'],
    ['a line break (D10)', 'customerID', 'a\r\nb'],
    ['empty', 'customerID', ''],
    ['missing', 'customerID', undefined],
    ['141 characters', 'description', 'x'.repeat(141)],
    ['blank', 'description', ' '],
    ['a lone surrogate', 'description', '\ud800'],
    ['null', 'description', null],
    ['missing', 'description', undefined],
    ['lower case (C16)', 'currency', 'rub'],
    ['a blank at the end (C16)', 'currency', 'RUB '],
    ['another one (C16)', 'currency', 'USD'],
    ['missing (C16)', 'currency', undefined],
    ['missing', 'amount', undefined],
    ['a number', 'paymentPointID', 1],
    ['null', 'paymentPointID', null],
    ['not an address', 'returnUrl', 'shop'],
    ['"true"', 'savePaymentMethod', 'true'],
    ['a text', 'recurringConsent', 'P1M'],
    ['unknown', 'comment', 'x'],
    ['unknown, another spelling', 'orderId', 'x'],
    ['a card number’s cvv', 'cvv', '123'],
    ['a card’s number', 'cardNumber', '4111111111111111'],
    ['a card’s expiry', 'expiry', '12/30'],
    ['a route', 'routeId', 'sandbox-bank'],
    ['a bank', 'bank', 'sandbox-bank'],
    ['a card', 'card', { number: '4111111111111111', expiry: '12/30', cvv: '123' }],
  ])('400 VALIDATION_FAILED %s: %s', async (_title, field, value) => {
    const answer = await t.create({ [field]: value });
    expect([answer.status, answer.body['code']]).toEqual([400, 'VALIDATION_FAILED']);
    expect(fieldsOf(answer)).toEqual([field]);
  });

  it('400: every wrong field is named at once', async () => {
    const answer = await t.create({ orderID: '', amount: -1, currency: 'EUR', nonsense: 1 });
    expect(fieldsOf(answer).sort()).toEqual(['amount', 'currency', 'nonsense', 'orderID']);
  });

  it.each([
    ['an array', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['nothing', ''],
    ['__proto__ (C12)', '{"__proto__":{"amount":1}}'],
    ['constructor (C12)', '{"constructor":{"prototype":{}}}'],
    ['a name twice', '{"amount":1,"amount":1}'],
    ['deep nesting (C15)', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
  ])('400: a body that is %s', async (_title, raw) => {
    const before = await countPayments();
    const answer = await t.call('POST', '/api/card', { raw, headers: { 'content-type': 'application/json' } });
    expect([answer.status, answer.body['code']]).toEqual([400, 'VALIDATION_FAILED']);
    expect(await countPayments()).toBe(before);
  });

  it('413 and 415: a body over 64 KiB, and one that is not JSON by its type', async () => {
    const large = await t.call('POST', '/api/card', { raw: `"${'x'.repeat(65_536)}"` });
    const plain = await t.call('POST', '/api/card', { raw: '{}', headers: { 'content-type': 'text/plain' } });
    expect([large.status, plain.status]).toEqual([413, 415]);
  });

  it.each(['description', 'paymentPointID', 'returnUrl'])('400: a card number in %s is refused and not repeated (K01)', async (field) => {
    const value = field === 'returnUrl' ? 'https://shop.example/?c=4111111111111111' : '4111111111111111';
    const answer = await t.create({ [field]: value });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
    expect(answer.text).not.toContain('4111111111111111');
  });

  it.each([
    ['description', 'my card 4111.1111.1111.1111 security code 123'],
    ['description', 'код на обороте: 123'],
    ['description', '٤١١١–١١١١–١١١١–١١١١'],
    ['returnUrl', 'https://shop.example/?c=4111%20-%201111%20-%201111%20-%201111'],
    ['paymentPointID', 'PAN4111-1111-1111-1111'],
  ])('400: card data in %s in another spelling, %s (N2)', async (field, value) => {
    const answer = await t.create({ [field]: value });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
    expect(answer.text).not.toContain(value);
  });

  it('201: identifiers are the partner’s own numbering, and not judged', async () => {
    const answer = await t.create({ customerID: '4000000000000002', orderID: '4111111111111111' });
    expect(answer.status).toBe(201);
  });
});

describe('returnUrl', () => {
  it('201: path and query of its own; 400: another scheme, host or port; kept with the order', async () => {
    const { partner } = await t.givenPartner();
    const order = { paymentPointID: undefined };
    const addresses = { callbackUrl: 'https://shop.example/cb', returnUrl: 'https://shop.example/return' };
    const early = await t.create({ ...order, returnUrl: 'https://shop.example/x' }, { partner });
    expect([early.status, fieldsOf(early)]).toEqual([400, ['returnUrl']]);
    await t.call('PUT', '/api/integration/endpoints', { partner, body: addresses });
    const good = await t.create({ ...order, returnUrl: 'https://shop.example/x?order=1' }, { partner });
    expect(good.status).toBe(201);
    for (const origin of ['https://evil.example', 'https://www.shop.example', 'https://shop.example:8443', 'http://shop.example']) {
      const bad = await t.create({ ...order, returnUrl: `${origin}/return` }, { partner });
      expect([origin, bad.status, fieldsOf(bad)]).toEqual([origin, 400, ['returnUrl']]);
    }
    expect((await t.payment(good.body['id']))['return_url']).toBe('https://shop.example/x?order=1');
  });
});

describe('recurringConsent', () => {
  it.each(['PT1M', 'PT1H', 'P1D', 'P1W', 'P1M', 'P1Y'])(
    '201 CREATED with paymentUrl, and nothing at the bank until the buyer was asked: period %s',
    async (period) => {
      const answer = await t.create({ savePaymentMethod: true, recurringConsent: { period } });
      const { id, status, paymentUrl } = answer.body;
      expect([answer.status, status]).toEqual([201, 'CREATED']);
      expect(paymentUrl).toMatch(/^https:\/\/form\.example\/pay\/[\w-]{43}$/);
      expect(t.bank.operations.has(String(id))).toBe(false);
      const row = await t.payment(id);
      expect(row).toMatchObject({ save_period: period, consent: 'AWAITED', consent_id: null, binding_id: null });
      expect(row['next_read_at']).toEqual(row['expires_at']);
      const read = (await t.read(id)).body;
      expect(read['paymentUrl']).toBe(paymentUrl);
      expect(read).not.toHaveProperty('bindingId');
    },
  );

  it('a repeat while the buyer has not answered: the same, at once, and still nothing at the bank', async () => {
    const key = randomUUID();
    const body = { ...goodBody(), savePaymentMethod: true, recurringConsent: { period: 'P1M' } };
    const [first, again] = [await t.create(body, { key }), await t.create(body, { key })];
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(t.bank.operations.has(String(first.body['id']))).toBe(false);
    await t.work();
    expect((await t.payment(first.body['id']))['status']).toBe('CREATED');
  });

  it('a buyer who never answers: EXPIRED with the session, without a word to the bank', async () => {
    const { id } = (await t.create({ savePaymentMethod: true, recurringConsent: { period: 'P1M' } })).body;
    t.bank.interrupt('read', 'before', silence);
    await t.moveClock('61 minutes');
    await t.work();
    t.bank.interrupt('read', 'before', undefined);
    expect(await t.payment(id)).toMatchObject({ status: 'EXPIRED', failure_code: 'SESSION_EXPIRED' });
    expect((await t.messages(id)).map(({ type }) => type)).toEqual(['payment.failed']);
  });

  it('merchant capture, of a shop it is enabled for: SUBMITTED at once, the shop’s evidence is told', async () => {
    const { partner, point, store } = await t.givenPartner();
    await t.rows('update stores set merchant_consent = true where store_id = $1', [store]);
    const change = { paymentPointID: point, savePaymentMethod: true, recurringConsent: merchant };
    const { id, status } = (await t.create(change, { partner })).body;
    expect(status).toBe('SUBMITTED');
    const { binding_id: bindingId } = await t.payment(id);
    expect((await t.read(id, { partner })).body).not.toHaveProperty('bindingId');
    const [told] = await t.messages(id);
    expect(told?.type).toBe('consent.given');
    expect(ConsentGiven.parse(told?.payload)).toEqual({
      consentId: (await t.payment(id))['consent_id'],
      bindingId,
      paymentId: id,
      partnerId: partner,
      customerId: 'buyer-1',
      storeName: 'Shop',
      period: 'P1M',
      capture: 'MERCHANT',
      text: null,
      version: 'v1',
      sha256: 'a'.repeat(64),
      reference: 'ref-1',
      acceptedAt: '2026-01-01T00:00:00.000Z',
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['true without a consent', { savePaymentMethod: true }, 'recurringConsent'],
    ['a consent without it', { recurringConsent: { period: 'P1M' } }, 'savePaymentMethod'],
    ['a consent with false', { savePaymentMethod: false, recurringConsent: { period: 'P1M' } }, 'savePaymentMethod'],
  ])('400 %s', async (_title, change, field) => {
    const answer = await t.create(change);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['no period', {}, 'period'],
    ['another period', { period: 'P2M' }, 'period'],
    ['another capture', { period: 'P1M', capture: 'SERVICE' }, 'capture'],
    ['not enabled (D14)', merchant, 'capture'],
    ['no reference (D14)', { ...merchant, reference: undefined }, 'reference'],
    ['no version (D14)', { ...merchant, version: undefined }, 'version'],
    ['no acceptedAt (D14)', { ...merchant, acceptedAt: undefined }, 'acceptedAt'],
    ['no evidenceHash (D14)', { ...merchant, evidenceHash: undefined }, 'evidenceHash'],
    ['evidence without capture', { ...merchant, capture: undefined }, 'reference'],
    ['acceptedAt in the future (D12)', { ...merchant, acceptedAt: '2999-01-01T00:00:00.000Z' }, 'acceptedAt'],
    ['seconds taken for milliseconds as acceptedAt (R30)', { ...merchant, acceptedAt: '1970-01-21T18:51:25.544Z' }, 'acceptedAt'],
    ['acceptedAt in 2014 (R30)', { ...merchant, acceptedAt: '2014-12-31T23:59:59.999Z' }, 'acceptedAt'],
    ['acceptedAt in year 0 (K1)', { ...merchant, acceptedAt: '0000-01-01T00:00:00Z' }, 'acceptedAt'],
    ['acceptedAt without a zone', { ...merchant, acceptedAt: '2026-01-01T00:00:00' }, 'acceptedAt'],
    ['upper case (D13)', { ...merchant, evidenceHash: 'A'.repeat(64) }, 'evidenceHash'],
    ['63 digits (D13)', { ...merchant, evidenceHash: 'a'.repeat(63) }, 'evidenceHash'],
    ['65 digits (D13)', { ...merchant, evidenceHash: 'a'.repeat(65) }, 'evidenceHash'],
    ['a card number (K01)', { ...merchant, reference: '4111111111111111' }, 'reference'],
    ['unknown', { period: 'P1M', amount: 1 }, 'amount'],
  ])('400 recurringConsent, %s', async (_title, recurringConsent, field) => {
    const answer = await t.create({ savePaymentMethod: true, recurringConsent });
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)).toContain(`recurringConsent.${field}`);
  });
});

describe('the payment point', () => {
  it('404, not 400: an id of 128 characters is good, and an emoji is one character', async () => {
    expect((await t.create({ paymentPointID: '🫖'.repeat(128) })).status).toBe(404);
    const long = await t.create({ paymentPointID: '🫖'.repeat(129) });
    expect([long.status, fieldsOf(long)]).toEqual([400, ['paymentPointID']]);
  });

  it('404 NOT_FOUND: unknown, another partner’s, closed', async () => {
    const { point } = await t.givenPartner();
    const closed = await t.givenPartner({ status: 'CLOSED' });
    const answers = [
      await t.create({ paymentPointID: 'nothing' }),
      await t.create({ paymentPointID: point }),
      await t.create({ paymentPointID: closed.point }, { partner: closed.partner }),
    ];
    expect(answers.map(({ status, body }) => [status, body['code']])).toEqual([
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
      [404, 'NOT_FOUND'],
    ]);
  });

  it('400 PAYMENT_POINT_REQUIRED: several active points and none named', async () => {
    const { partner, store } = await t.givenPartner();
    await t.rows(
      `insert into payment_points (payment_point_id, store_id, partner_id, name, payment_methods, route_id)
       values ($1, $2, $3, 'Second', '{CARD}', 'sandbox-bank')`,
      [`point-${randomUUID()}`, store, partner],
    );
    const answer = await t.create({ paymentPointID: undefined }, { partner });
    expect([answer.status, answer.body['code']]).toEqual([400, 'PAYMENT_POINT_REQUIRED']);
  });

  it('400: a point that takes no cards', async () => {
    const { partner, point } = await t.givenPartner({ paymentMethods: ['SBP_DYNAMIC_QR'] });
    const answer = await t.create({ paymentPointID: point }, { partner });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['paymentPointID']]);
  });

  it('503 ROUTE_UNAVAILABLE with Retry-After: a suspended point; the key stays free', async () => {
    const { partner, point } = await t.givenPartner({ status: 'SUSPENDED' });
    const call = { partner, key: randomUUID() };
    const body = { paymentPointID: point, orderID: 'once' };
    const answer = await t.create(body, call);
    expect([answer.status, answer.body['code'], answer.headers.get('retry-after')]).toEqual([503, 'ROUTE_UNAVAILABLE', '5']);
    await t.rows(`update payment_points set status = 'ACTIVE' where payment_point_id = $1`, [point]);
    expect((await t.create(body, call)).status).toBe(201);
  });
});

describe('401 and the error body', () => {
  it('401 without a token of the gateway, and with one for another service', async () => {
    const answers = await Promise.all(
      ['', 'x.y.z'].map((token) => t.call('POST', '/api/card', { body: goodBody(), headers: { 'x-internal-token': token } })),
    );
    expect(answers.map(({ status, body }) => [status, body['error']])).toEqual([
      [401, 'unauthorized'],
      [401, 'unauthorized'],
    ]);
  });

  it('every error body has error, code and requestId', async () => {
    const { body, headers } = await t.create({ amount: 0 });
    expect(body).toEqual({
      error: 'the request is not valid',
      code: 'VALIDATION_FAILED',
      requestId: headers.get('x-request-id'),
      details: [{ field: 'amount', message: expect.any(String) }],
    });
  });
});

describe('idempotency', () => {
  it.each([
    ['missing', null],
    ['15 characters', 'x'.repeat(15)],
    ['129 characters', 'x'.repeat(129)],
    ['a blank inside', 'x'.repeat(10) + ' ' + 'x'.repeat(10)],
  ])('400: a key that is %s (E01)', async (_title, key) => {
    const answer = await t.create({}, { key });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ['Idempotency-Key']]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['after a wrong field', { amount: 0 }, 'amount'],
    ['after what two fields say together', { savePaymentMethod: true }, 'recurringConsent'],
    [
      'before what the clock says',
      { savePaymentMethod: true, recurringConsent: { ...merchant, acceptedAt: '2999-01-01T00:00:00Z' } },
      'Idempotency-Key',
    ],
  ])('400: a missing key is named %s', async (_title, change, field) => {
    const answer = await t.create(change, { key: null });
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
  });

  it.each([16, 128])('201: a key of %s characters (E01)', async (length) => {
    const key = createHash('sha512').update(randomUUID()).digest('hex').padEnd(length, '0').slice(0, length);
    expect((await t.create({}, { key })).status).toBe(201);
  });

  it('a repeat: the same status code and id, the current state, Idempotency-Replayed (E02 E13)', async () => {
    const [key, body] = [randomUUID(), goodBody()];
    const first = await t.call('POST', '/api/card', { key, body });
    await t.pay(String((await t.payment(first.body['id']))['form_token']));
    const repeat = await t.call('POST', '/api/card', { key, body });
    expect(repeat.status).toBe(201);
    expect(repeat.headers.get('idempotency-replayed')).toBe('true');
    expect(repeat.body).toMatchObject({ id: first.body['id'], status: 'COMPLETED' });
    expect(repeat.body).not.toHaveProperty('paymentUrl');
  });

  it('409 IDEMPOTENCY_KEY_REUSED: another body, or the same one with other whitespace (E03 E14)', async () => {
    const [key, body] = [randomUUID(), goodBody()];
    await t.call('POST', '/api/card', { key, body });
    const other = await t.call('POST', '/api/card', { key, body: { ...body, amount: 1 } });
    const spaced = await t.call('POST', '/api/card', { key, raw: JSON.stringify(body, null, 1) });
    expect([other, spaced].map(({ status, body: { code } }) => [status, code])).toEqual([
      [409, 'IDEMPOTENCY_KEY_REUSED'],
      [409, 'IDEMPOTENCY_KEY_REUSED'],
    ]);
  });

  it(
    'fifty at once with one key: one payment, one order at the bank, every answer 201 with its id (E04)',
    async () => {
      const [key, body] = [randomUUID(), goodBody()];
      const answers = await Promise.all(Array.from({ length: 50 }, () => t.call('POST', '/api/card', { key, body })));
      const ids = new Set(answers.filter(({ status }) => status === 201).map((answer) => answer.body['id']));
      expect(ids.size).toBe(1);
      expect(answers.every(({ status, body: { code } }) => status === 201 || code === 'IDEMPOTENCY_KEY_IN_PROGRESS')).toBe(true);
      const [id] = ids;
      expect(t.bank.calls.filter(({ operationId }) => operationId === id)).toHaveLength(1);
      expect(await t.rows('select 1 from payments where merchant_order_id = $1', [body['orderID']])).toHaveLength(1);
    },
    LONG_MS,
  );

  it('409 IDEMPOTENCY_KEY_IN_PROGRESS with Retry-After 1: the registration takes longer than two seconds (E04)', async () => {
    const held = gate();
    t.bank.interrupt('register', 'before', held.interruption);
    const [key, body] = [randomUUID(), goodBody()];
    const first = t.call('POST', '/api/card', { key, body });
    await held.arrived;
    const repeat = await t.call('POST', '/api/card', { key, body });
    expect([repeat.status, repeat.body['code'], repeat.headers.get('retry-after')]).toEqual([409, 'IDEMPOTENCY_KEY_IN_PROGRESS', '1']);
    held.open();
    t.bank.interrupt('register', 'before', undefined);
    expect((await first).body['status']).toBe('SUBMITTED');
    expect((await t.call('POST', '/api/card', { key, body })).body['status']).toBe('SUBMITTED');
  });

  it('the same key by another partner: independent (E06)', async () => {
    const [{ partner, point }, key] = [await t.givenPartner(), randomUUID()];
    const mine = await t.create({}, { key });
    const theirs = await t.create({ paymentPointID: point }, { key, partner });
    expect([mine.status, theirs.status, mine.body['id'] === theirs.body['id']]).toEqual([201, 201, false]);
  });

  it('a key that met a 400 takes the corrected request (E10)', async () => {
    const [key, body] = [randomUUID(), goodBody()];
    expect((await t.call('POST', '/api/card', { key, body: { ...body, amount: 0 } })).status).toBe(400);
    expect((await t.call('POST', '/api/card', { key, body })).status).toBe(201);
  });

  it('19, E12 409 DUPLICATE_ORDER: a new key with a used order number, with the paymentId that has it; another partner may use it', async () => {
    const orderID = `order-${randomUUID()}`;
    const { id } = await t.givenPayment({ orderID });
    const second = await t.create({ orderID, amount: 7 });
    expect([second.status, second.body['code'], second.body['paymentId']]).toEqual([409, 'DUPLICATE_ORDER', id]);
    expect((await t.read(second.body['paymentId'])).body).toMatchObject({ id, orderID });
    const { partner, point } = await t.givenPartner();
    expect((await t.create({ orderID, paymentPointID: point }, { partner })).status).toBe(201);
  });

  it('the same request after 30 days: 409 DUPLICATE_ORDER by its number, never a second payment (E15)', async () => {
    const [key, body] = [randomUUID(), goodBody()];
    expect((await t.call('POST', '/api/card', { key, body })).status).toBe(201);
    await t.rows(`update idempotency_records set created_at = created_at - interval '31 days' where key = $1`, [key]);
    await sweepLoop(t.deps.db, false).round(new AbortController().signal);
    expect(await t.rows('select from idempotency_records where key = $1', [key])).toEqual([]);
    const late = await t.call('POST', '/api/card', { key, body });
    expect([late.status, late.body['code']]).toEqual([409, 'DUPLICATE_ORDER']);
    expect(await t.rows('select from payments where merchant_order_id = $1', [body['orderID']])).toHaveLength(1);
  });

  it('two orders with one number at once: the second waits for the first, then is 409 DUPLICATE_ORDER (E12)', async () => {
    const orderID = `order-${randomUUID()}`;
    const waiting: Promise<Answer>[] = [];
    await t.deps.db.transaction(async (tx) => {
      const { insertPayment } = await import('../../db/payment/payments.ts');
      await insertPayment(tx, {
        paymentId: randomUUID(),
        partnerId: 'partner-1',
        paymentPointId: DEFAULT_POINT,
        routeId: 'sandbox-bank',
        method: 'CARD',
        merchantOrderId: orderID,
        amountKopecks: 1n,
        description: 'x',
        customerId: 'x',
        feeBasisPoints: 0,
        status: 'CREATED',
        checkoutToken: randomUUID(),
        expiresAt: new Date('2099-01-01T00:00:00Z'),
      });
      waiting.push(t.create({ orderID }));
      await t.untilBlocked();
    });
    const [second] = await Promise.all(waiting);
    expect([second?.status, second?.body['code']]).toEqual([409, 'DUPLICATE_ORDER']);
    const [first] = await t.rows('select payment_id from payments where merchant_order_id = $1', [orderID]);
    expect(second?.body['paymentId']).toBe(first?.['payment_id']);
  });
});

describe('the bank while a payment is registered', () => {
  // The calls that fail above, on a slow machine in the same ten seconds, would open the breaker of one acquirer.
  let fresh: TestApp;
  beforeEach(async () => {
    fresh = await startTestApp();
  });
  afterEach(() => fresh.close());

  it.each([
    ['closes the connection without an answer', silence],
    ['answers 500', failure(500)],
  ])('201 CREATED without paymentUrl: the bank %s; a repeat of the POST finishes it', async (_title, interruption) => {
    fresh.bank.interrupt('register', 'after', interruption);
    const [key, body] = [randomUUID(), goodBody()];
    const first = await fresh.call('POST', '/api/card', { key, body });
    fresh.bank.interrupt('register', 'after', undefined);
    expect([first.status, first.body['status'], first.body['paymentUrl']]).toEqual([201, 'CREATED', undefined]);
    const repeat = await fresh.call('POST', '/api/card', { key, body });
    expect(repeat.body).toMatchObject({ id: first.body['id'], status: 'SUBMITTED', paymentUrl: expect.any(String) });
    expect([...fresh.bank.operations.values()].filter(({ operationId }) => operationId === first.body['id'])).toHaveLength(1);
  });

  it('… and so does the worker, without a repeat', async () => {
    fresh.bank.interrupt('register', 'before', silence);
    const { body } = await fresh.create();
    fresh.bank.interrupt('register', 'before', undefined);
    await fresh.rows(`update payments set next_read_at = clock_now() where payment_id = $1`, [body['id']]);
    await fresh.work();
    expect((await fresh.read(body['id'])).body).toMatchObject({ status: 'SUBMITTED', paymentUrl: expect.any(String) });
  });

  it('a bank that refuses the order ends it: FAILED with PROCESSING_ERROR, and the partner hears it', async () => {
    fresh.bank.interrupt('register', 'before', refusal(400, 'BAD_REQUEST'));
    const { status, body } = await fresh.create();
    fresh.bank.interrupt('register', 'before', undefined);
    expect([status, body['status']]).toEqual([201, 'FAILED']);
    expect(await fresh.messages(body['id'])).toMatchObject([
      {
        type: 'payment.failed',
        payload: { status: 'FAILED', failureCode: 'PROCESSING_ERROR', aggregateVersion: 1, bankOperationId: null },
      },
    ]);
  });
});
