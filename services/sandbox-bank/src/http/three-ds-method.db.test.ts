import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cardOf, startTestBank, type TestBank } from '../../test/bank.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await startTestBank();
});
afterAll(() => bank.close());

const NUMBER = '4000000000003220';
const NOTIFICATION = 'http://shop.test/method/done';
const buyer = {
  language: 'ru',
  userAgent: 'Phone/1.0',
  accept: 'text/html',
  browser: { colorDepth: 24, screenHeight: 844, screenWidth: 390, timezoneOffsetMinutes: -180, language: 'ru-RU', isJavaEnabled: false },
};

const prepare = (operationId: string, number = NUMBER) => bank.call('POST', `/v1/orders/${operationId}/three-ds`, { card: cardOf(number) });
const run = (threeDSServerTransID: unknown, threeDSMethodNotificationURL = NOTIFICATION) => {
  const data = Buffer.from(JSON.stringify({ threeDSServerTransID, threeDSMethodNotificationURL })).toString('base64url');
  return bank.open('/three-ds-method', {
    method: 'POST',
    headers: { 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ threeDSMethodData: data }),
  });
};

describe('POST /v1/orders/{operationId}/three-ds', () => {
  it('says the version, an authentication, and where the issuer looks at the browser, for the card that has one', async () => {
    const operationId = await bank.givenOrder();
    const { status, body } = await prepare(operationId);
    expect([status, body]).toEqual([
      200,
      { threeDsVersion: '2.2.0', threeDsServerTransId: expect.any(String), methodUrl: `${bank.url}/three-ds-method` },
    ]);
    expect((await prepare(operationId, '4111111111111111')).body['methodUrl']).toBeUndefined();
    expect(await bank.moneyMoved(operationId)).toBe(0);
  });

  it('409 for an order that is paid, 404 for none', async () => {
    const operationId = await bank.givenOrder();
    await bank.authorize(operationId, '4111111111111111');
    expect((await prepare(operationId)).status).toBe(409);
    expect((await prepare(randomUUID())).status).toBe(404);
  });
});

describe('the 3DS Method', () => {
  it('has a script of its own, and sends the browser on to the merchant and nobody else', async () => {
    const { body } = await prepare(await bank.givenOrder());
    const answer = await run(body['threeDsServerTransId']);
    const page = await answer.text();
    expect(page).toContain(`<form method="post" action="${NOTIFICATION}">`);
    expect(page).toContain('<script src="/assets/method.js"');
    expect(answer.headers.get('content-security-policy')).toContain('form-action http://shop.test;');
    expect(answer.headers.get('x-frame-options')).toBeNull();
    expect((await bank.open('/assets/method.js')).status).toBe(200);
  });

  it('404 for an authentication that is not under way, and for an address that is not the merchant’s', async () => {
    const operationId = await bank.givenOrder();
    const { body } = await prepare(operationId);
    expect((await run(randomUUID())).status).toBe(404);
    expect((await run(body['threeDsServerTransId'], 'https://elsewhere.example/done')).status).toBe(404);
    expect((await bank.open('/three-ds-method', { method: 'POST', body: new URLSearchParams({}) })).status).toBe(400);
    const { body: paid } = await bank.authorize(operationId, NUMBER, { threeDsCompInd: 'Y', buyer });
    expect(paid['status']).toBe('THREE_DS_REQUIRED');
  });

  it.each([
    ['it ran, and the browser is told', true, { threeDsCompInd: 'Y', buyer }, 'APPROVED', 'Y'],
    ['it ran, and nothing is told of the browser', true, { threeDsCompInd: 'Y' }, 'THREE_DS_REQUIRED', 'C'],
    ['it ran, and the merchant did not wait for it', true, { threeDsCompInd: 'N', buyer }, 'THREE_DS_REQUIRED', 'C'],
    ['the merchant only says so', false, { threeDsCompInd: 'Y', buyer }, 'THREE_DS_REQUIRED', 'C'],
  ])('%s', async (_name, hasRun, change, status, transStatus) => {
    const operationId = await bank.givenOrder();
    const { body } = await prepare(operationId);
    if (hasRun) await run(body['threeDsServerTransId']);
    const { body: paid } = await bank.authorize(operationId, NUMBER, change);
    expect([paid['status'], paid['transStatus']]).toEqual([status, transStatus]);
    expect(paid['threeDsServerTransId']).toBe(body['threeDsServerTransId']);
  });

  it('400 for a browser that EMV does not know', async () => {
    const operationId = await bank.givenOrder();
    for (const change of [{ colorDepth: 30 }, { screenWidth: 0 }, { timezoneOffsetMinutes: 900 }, { language: 'zh-Hans-CN' }]) {
      const told = { ...buyer, browser: { ...buyer.browser, ...change } };
      expect((await bank.authorize(operationId, NUMBER, { buyer: told })).status).toBe(400);
    }
  });
});
