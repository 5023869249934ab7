import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EndpointsUpdated } from '@pay/contract/messages.ts';
import { startTestApp, type Answer, type TestApp } from '../../../test/app.ts';

let t: TestApp;
let relaxed: TestApp;
beforeAll(async () => {
  [t, relaxed] = [
    await startTestApp(),
    await startTestApp({ allowPrivateAddresses: true, ownHosts: ['api.pay.example', '127.0.0.1:5432'] }),
  ];
});
afterAll(async () => {
  await t.close();
  await relaxed.close();
});

const GOOD = { callbackUrl: 'https://shop.example/callbacks', returnUrl: 'https://shop.example/return' };
const save = (body: unknown, partner = 'partner-1', app = t) => app.call('PUT', '/api/integration/endpoints', { partner, body });
const read = (partner = 'partner-1') => t.call('GET', '/api/integration/endpoints', { partner });
const fieldsOf = (answer: Answer) => (answer.body['details'] as { field: string }[]).map(({ field }) => field);

describe('GET /api/integration/payment-points', () => {
  it('200: the partner’s points, all fields, nothing of the route', async () => {
    const paymentMethods = ['CARD', 'SBP_DYNAMIC_QR'] as const;
    const { partner, point, store } = await t.givenPartner({ paymentMethods });
    const { status, body } = await t.call('GET', '/api/integration/payment-points', { partner });
    expect(status).toBe(200);
    expect(body).toEqual({
      items: [{ paymentPointID: point, storeID: store, name: 'Cards', status: 'ACTIVE', paymentMethods }],
    });
  });

  it('200: no points, an empty list', async () => {
    expect((await t.call('GET', '/api/integration/payment-points', { partner: 'nobody' })).body).toEqual({ items: [] });
  });
});

describe('PUT and GET /api/integration/endpoints', () => {
  it('200: null before the first PUT; then what was saved; another partner sees nothing of it', async () => {
    expect((await read()).body).toEqual({ callbackUrl: null, returnUrl: null, updatedAt: null });
    const saved = await save(GOOD);
    expect(saved.status).toBe(200);
    expect(saved.body).toEqual({ ...GOOD, updatedAt: expect.stringMatching(/Z$/) });
    expect((await read()).body).toEqual(saved.body);
    expect((await read('partner-2')).body['callbackUrl']).toBeNull();
  });

  it('each save counts the revision and is told in the same transaction', async () => {
    const { partner } = await t.givenPartner();
    await save(GOOD, partner);
    await save({ ...GOOD, callbackUrl: 'https://shop.example:8443/other' }, partner);
    const told = (await t.messages(partner)).map(({ type, payload }) => ({ type, ...EndpointsUpdated.parse(payload) }));
    expect(told).toMatchObject([
      { type: 'integration.endpoints_updated', revision: 1, ...GOOD },
      { type: 'integration.endpoints_updated', revision: 2, callbackUrl: 'https://shop.example:8443/other' },
    ]);
  });

  it('is answered once the notifier has it, by the message that the broker brings too (V5)', async () => {
    const { partner } = await t.givenPartner();
    const [held, told] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
    t.notifier.onTold = async () => {
      told.resolve(undefined);
      await held.promise;
    };
    let isAnswered = false;
    const saving = save({ ...GOOD, extraEvents: ['withdrawal.requested'] }, partner).finally(() => (isAnswered = true));
    await told.promise;
    expect(isAnswered).toBe(false);
    held.resolve(undefined);
    t.notifier.onTold = () => Promise.resolve();
    expect((await saving).status).toBe(200);
    const [row] = await t.rows('select message_id, payload from outbox where aggregate_id = $1', [partner]);
    expect(t.notifier.told.at(-1)).toEqual({ messageId: row?.['message_id'], body: row?.['payload'] });
  });

  it('503 SERVICE_UNAVAILABLE where the notifier does not say so: it is saved and told, and promised by the repeat (V5)', async () => {
    const { partner } = await t.givenPartner();
    t.notifier.answer = 503;
    const refused = await save(GOOD, partner);
    expect([refused.status, refused.body['code']]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await t.messages(partner)).toHaveLength(1);
    t.notifier.answer = undefined;
    expect((await save(GOOD, partner)).status).toBe(200);
    expect((await t.messages(partner)).map(({ payload }) => payload['revision'])).toEqual([1, 2]);
  });

  it('200 beside a notifier of the version before, which the broker tells', async () => {
    const { partner } = await t.givenPartner();
    t.notifier.answer = 401;
    expect((await save(GOOD, partner)).status).toBe(200);
    t.notifier.answer = undefined;
    expect(await t.messages(partner)).toHaveLength(1);
  });

  it('19.4: extraEvents: saved, told and shown; left out they stay, [] switches them off; not shown when there are none', async () => {
    const { partner } = await t.givenPartner();
    const on = await save({ ...GOOD, extraEvents: ['binding.expired', 'withdrawal.completed'] }, partner);
    expect([on.status, on.body['extraEvents']]).toEqual([200, ['binding.expired', 'withdrawal.completed']]);
    expect((await save(GOOD, partner)).body['extraEvents']).toEqual(['binding.expired', 'withdrawal.completed']);
    expect((await save({ ...GOOD, extraEvents: [] }, partner)).body).not.toHaveProperty('extraEvents');
    const told = (await t.messages(partner)).map(({ payload }) => EndpointsUpdated.parse(payload).extraEvents.length);
    expect(told).toEqual([2, 2, 0]);
  });

  it.each([['payment.completed'], ['withdrawal.lost'], [1]])('19.4: 400: %j is no extra event', async (name) => {
    expect(fieldsOf(await save({ ...GOOD, extraEvents: [name] }))).toEqual(['extraEvents.0']);
  });

  it('ten saves at once: revisions 1 to 10, each told once', async () => {
    const { partner } = await t.givenPartner();
    await Promise.all(Array.from({ length: 10 }, () => save(GOOD, partner)));
    const revisions = (await t.messages(partner)).map(({ payload }) => Number(payload['revision']));
    expect(revisions.sort((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it.each([
    ['https://shop.example/cb?', 'must not end with a ? that no query follows'],
    ['https://shop.example/foo/bar/../ton/../../a', 'must not have . or .. as a segment of its path'],
    ['https://shop.example/foo%2zbar', 'must have two hexadecimal digits after each %'],
    ["https://shop.example/?q='x'", 'must be percent-encoded as it will be called'],
  ])('400: %s would be called as another address, for either field (K9)', async (text, problem) => {
    for (const field of ['callbackUrl', 'returnUrl']) {
      const { status, body } = await save({ ...GOOD, [field]: text });
      expect([status, body['details']]).toEqual([400, [expect.objectContaining({ field, message: problem })]]);
    }
  });

  it('200: what is saved and shown is what is called: the host in lower case, without a default port (K9)', async () => {
    const { partner } = await t.givenPartner();
    const given = { callbackUrl: 'HTTPS://Shop.Example:443/Cb//a%2F%00?b=%3f', returnUrl: 'https://SHOP.example' };
    const saved = { callbackUrl: 'https://shop.example/Cb//a%2F%00?b=%3f', returnUrl: 'https://shop.example' };
    expect((await save(given, partner)).body).toMatchObject(saved);
    const [told] = await t.messages(partner);
    expect(told?.payload).toMatchObject(saved);
  });

  it('400: our own name is no callback address (H15)', async () => {
    const own = { callbackUrl: 'https://api.pay.example/api/card', returnUrl: 'https://shop.example/' };
    const { status, body } = await save(own, 'p', t);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('must not be this service itself')]);
  });

  it.each([
    'http://shop.example/cb',
    'ftp://shop.example/cb',
    '//shop.example/cb',
    '/cb',
    'shop.example/cb',
    'https:shop.example',
    'https:/shop.example',
    'https:///shop.example',
    'https://',
    'https://shop.example/cb#x',
    'https://shop.example/cb#',
    'https://user@shop.example/cb',
    'https://user:secret@shop.example/cb',
    'https://shop.example\\@127.0.0.1/',
    'https://shop.example/a b',
    'https://shop.example/\t',
    ' https://shop.example/',
    'https://shop.example/\n',
    'https://127.0.0.1/',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://①②⑦.⓪.⓪.①/',
    'https://%31%32%37.0.0.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://localhost/',
    'https://LOCALHOST/',
    'https://a.localhost/',
    'https://printer.local/',
    'https://metadata.google.internal/',
    'https://intranet/',
    'https://shop.example./',
    'https://shop..example/',
    'https://-shop.example/',
    'https://shop.example:0/',
    'https://shop.example:99999/',
    'https://shop.example:/',
    `https://shop.example/${'x'.repeat(2_048)}`,
    '',
  ])('400: %j is no absolute public https address, for either field', async (text) => {
    const answers = [await save({ ...GOOD, callbackUrl: text }), await save({ ...GOOD, returnUrl: text })];
    expect(answers.map((answer) => [answer.status, fieldsOf(answer)])).toEqual([
      [400, ['callbackUrl']],
      [400, ['returnUrl']],
    ]);
  });

  it.each(['https://8.8.8.8/', 'https://shop.example:80/', 'https://shop.example:22/', 'https://shop.example:6667/'])(
    '400: %j is no address that we call, but a browser may go there',
    async (text) => {
      const called = await save({ ...GOOD, callbackUrl: text });
      expect([called.status, fieldsOf(called)]).toEqual([400, ['callbackUrl']]);
      expect((await save({ ...GOOD, returnUrl: text })).status).toBe(200);
    },
  );

  it.each(['gone.example', 'broken.example', '127.0.0.1.nip.example', 'mixed.example'])(
    '400: a callbackUrl at %s, which leads nowhere public, is refused, and nothing changes',
    async (host) => {
      const { partner } = await t.givenPartner();
      const answer = await save({ ...GOOD, callbackUrl: `https://${host}/cb` }, partner);
      expect([answer.status, fieldsOf(answer)]).toEqual([400, ['callbackUrl']]);
      expect((await read(partner)).body['callbackUrl']).toBeNull();
    },
  );

  it('200: a host in Cyrillic is kept and answered as punycode', async () => {
    const answer = await save({ callbackUrl: 'https://пример.рф/cb', returnUrl: 'https://Пример.рф/ok' });
    expect(answer.body).toMatchObject({
      callbackUrl: 'https://xn--e1afmkfd.xn--p1ai/cb',
      returnUrl: 'https://xn--e1afmkfd.xn--p1ai/ok',
    });
  });

  it.each([
    'https://shop.example',
    'https://shop.example:10443/cb',
    'https://shop.example:443/cb?x=1&y=%20',
    'https://a.b.shop.example:8443/',
    'https://xn--80a.xn--p1ai/',
  ])('200: %s', async (callbackUrl) => {
    expect((await save({ ...GOOD, callbackUrl })).status).toBe(200);
  });

  it.each([
    ['missing', { callbackUrl: GOOD.callbackUrl }, 'returnUrl'],
    ['null', { ...GOOD, returnUrl: null }, 'returnUrl'],
    ['a number', { ...GOOD, callbackUrl: 1 }, 'callbackUrl'],
    ['unknown', { ...GOOD, secret: 'x' }, 'secret'],
  ])('400: a field that is %s', async (_title, body, field) => {
    const answer = await save(body);
    expect([answer.status, fieldsOf(answer)]).toEqual([400, [field]]);
  });

  it.each(['http://127.0.0.1:5432/', 'http://localhost:5432/', 'http://[::1]:5432/', 'http://127.9.9.9:5432/', 'http://LOCALHOST:05432/'])(
    'CALLBACK_ALLOW_PRIVATE: 400 for a program of ours: %s (N12)',
    async (callbackUrl) => {
      const { status, body } = await save({ callbackUrl, returnUrl: 'http://localhost:3000/' }, 'p', relaxed);
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('must not be this service itself')]);
    },
  );

  it('CALLBACK_ALLOW_PRIVATE: http and loopback are taken, a fragment and a user name are not', async () => {
    const local = { callbackUrl: 'http://127.0.0.1:8080/cb', returnUrl: 'http://localhost:8080/return' };
    const statuses = [
      await save(local, 'p', relaxed),
      await save({ ...local, callbackUrl: 'http://127.0.0.1/#x' }, 'p', relaxed),
      await save({ ...local, callbackUrl: 'http://me@127.0.0.1/' }, 'p', relaxed),
      // spec/scenarios#h07, spec/scenarios#h09: never where clouds keep credentials.
      await save({ ...local, callbackUrl: 'http://169.254.169.254/latest' }, 'p', relaxed),
      await save({ ...local, callbackUrl: 'http://127.0.0.1:0/cb' }, 'p', relaxed),
      await save({ ...local, callbackUrl: `http://${'a'.repeat(64)}/cb` }, 'p', relaxed),
    ].map(({ status }) => status);
    expect(statuses).toEqual([200, 400, 400, 400, 400, 400]);
  });
});
