import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestBank, toRecord, type TestBank } from '../../test/bank.ts';

let bank: TestBank;
beforeAll(async () => {
  bank = await startTestBank();
});
afterAll(() => bank.close());

const read = (operationId: string) => bank.call('GET', `/v1/operations/${operationId}`);
const pathOf = (url: unknown) => new URL(String(url)).pathname;

async function givenThreeDs(): Promise<{ operationId: string; path: string }> {
  const operationId = await bank.givenOrder({ description: 'Tea <b>&' });
  const { body } = await bank.authorize(operationId, '4000003800000446');
  return { operationId, path: pathOf(body['acsUrl']) };
}

async function givenSbp(amountKopecks = '1050'): Promise<{ operationId: string; path: string }> {
  const operationId = await bank.givenOrder({ method: 'SBP', amountKopecks });
  const { body } = await read(operationId);
  return { operationId, path: pathOf(body['nspkurl']) };
}

describe('the 3-D Secure page', () => {
  it('shows purpose, amount and mask, escaped, in the language asked for', async () => {
    const { path } = await givenThreeDs();
    const page = await (await bank.open(path, { headers: { 'Accept-Language': 'en-GB,en;q=0.9' } })).text();
    expect(page).toContain('Tea &lt;b>&amp;');
    expect(page).toContain('10.50');
    expect(page).toContain('400000******0446');
    expect(page).toContain('<html lang="en">');
    const inRussian = { headers: { 'Accept-Language': 'en' } };
    expect(await (await bank.open(`${path}?lang=ru`, inRussian)).text()).toContain('<html lang="ru">');
    expect(await (await bank.open(path, { headers: { 'Accept-Language': 'de' } })).text()).toContain('<html lang="ru">');
  });

  it.each([
    ['approve', 'APPROVED', undefined, 1, 'Y 05'],
    ['decline', 'DECLINED', 'AUTHENTICATION_FAILED', 0, 'N 07'],
  ])('%s: %s %s, then the way back to the shop', async (decision, status, reason, moneyMoved, authentication) => {
    const { operationId, path } = await givenThreeDs();
    const pressed = await bank.press(`${path}?lang=en`, decision);
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, `${path}/result?lang=en`]);
    const result = await bank.open(`${path}/result?lang=en`);
    expect(result.status).toBe(200);
    const page = await result.text();
    expect(page).toContain('<meta http-equiv="refresh" content="0; url=http://shop.test/back?order=1"/>');
    expect(page).toContain('href="http://shop.test/back?order=1"');
    const { body } = await read(operationId);
    expect([body['status'], body['reason']]).toEqual([status, reason]);
    expect(`${String(body['transStatus'])} ${String(body['eci'])}`).toBe(authentication);
    expect(await bank.moneyMoved(operationId)).toBe(moneyMoved);
  });

  it('the first press decides: twenty presses at once move the money once, a later Decline nothing', async () => {
    const { operationId, path } = await givenThreeDs();
    await Promise.all(Array.from({ length: 20 }, () => bank.press(path, 'approve')));
    expect((await bank.press(path, 'decline')).status).toBe(303);
    expect((await read(operationId)).body['status']).toBe('APPROVED');
    expect(await bank.moneyMoved(operationId)).toBe(1);
    const again = await bank.open(path);
    expect([again.status, again.headers.get('location')]).toEqual([303, `${path}/result?lang=ru`]);
  });

  it('a result that is not there yet leads back to the page; an unknown page is 404; another button is 400', async () => {
    const { operationId, path } = await givenThreeDs();
    expect((await bank.open(`${path}/result`)).headers.get('location')).toBe(`${path}?lang=ru`);
    expect((await bank.open('/3ds/00000000000000000000000000000000')).status).toBe(404);
    expect((await bank.press(path, 'maybe')).status).toBe(400);
    expect((await read(operationId)).body['status']).toBe('THREE_DS_REQUIRED');
  });

  it('headers: no script, no frame, no cache, no referrer; a form from another site is refused', async () => {
    const { operationId, path } = await givenThreeDs();
    const { headers } = await bank.open(path);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
    const body = new URLSearchParams({ decision: 'approve' });
    const foreign = await bank.open(path, { method: 'POST', body, headers: { 'Sec-Fetch-Site': 'cross-site' } });
    expect(foreign.status).toBe(403);
    expect((await read(operationId)).body['status']).toBe('THREE_DS_REQUIRED');
  });
});

describe('the SBP page', () => {
  it.each([
    ['1050', 'pay', 'APPROVED', undefined],
    ['1050', 'refuse', 'CANCELLED', 'CANCELLED_BY_CUSTOMER'],
    ['1091', 'pay', 'DECLINED', 'INSUFFICIENT_FUNDS'],
    ['1091', 'refuse', 'CANCELLED', 'CANCELLED_BY_CUSTOMER'],
    ['1094', 'pay', 'PENDING', undefined],
    ['1095', 'pay', 'APPROVED', undefined],
  ])('%s kopecks, %s: %s %s', async (amountKopecks, decision, status, reason) => {
    const { operationId, path } = await givenSbp(amountKopecks);
    expect((await bank.open(path)).status).toBe(200);
    expect((await bank.press(path, decision)).headers.get('location')).toBe(`${path}/result?lang=ru`);
    const { body } = await read(operationId);
    expect([body['status'], body['reason']]).toEqual([status, reason]);
    expect((await bank.open(`${path}/result`)).status).toBe(200);
    expect(await bank.moneyMoved(operationId)).toBe(status === 'APPROVED' ? 1 : 0);
  });

  it.each([
    ['1092', 'APPROVED', undefined, 1],
    ['1093', 'DECLINED', 'ISSUER_UNAVAILABLE', 0],
  ])('%s kopecks, pay: the next read-back has no answer, the one after it says %s %s', async (amount, status, reason, moved) => {
    const { operationId, path } = await givenSbp(amount);
    await bank.press(path, 'pay');
    await expect(read(operationId)).rejects.toThrow();
    const { body } = await read(operationId);
    expect([body['status'], body['reason']]).toEqual([status, reason]);
    expect(await bank.moneyMoved(operationId)).toBe(moved);
  });

  it('the first press decides; the id of a card order opens no SBP page', async () => {
    const { operationId, path } = await givenSbp();
    await bank.press(path, 'refuse');
    await bank.press(path, 'pay');
    expect((await read(operationId)).body['status']).toBe('CANCELLED');
    const { body } = await read(await bank.givenOrder());
    expect((await bank.open(`/sbp/${String(body['bankOperationId'])}`)).status).toBe(404);
  });
});

describe('the operations page', () => {
  it('lists newest first, pages, and filters by id and status', async () => {
    await bank.call('POST', '/control/reset', {});
    const ids: string[] = [];
    for (let count = 0; count < 51; count += 1) ids.unshift(await bank.givenOrder());
    await bank.authorize(String(ids[3]), '4000000000009987');
    const listed = (page: string) => [...page.matchAll(/href="\/operations\/([0-9a-f-]{36})/g)].map((match) => match[1]);

    const first = await (await bank.openControl('/?lang=en')).text();
    expect(listed(first)).toEqual(ids.slice(0, 50));
    const older = /href="(\/\?lang=en&amp;after=[^"]+)">Older/.exec(first)?.[1]?.replaceAll('&amp;', '&');
    const second = await (await bank.openControl(String(older))).text();
    expect(listed(second)).toEqual(ids.slice(50));
    expect(second).not.toContain('Older operations');

    expect(listed(await (await bank.openControl('/?status=DECLINED&id=')).text())).toEqual([ids[3]]);
    expect(listed(await (await bank.openControl(`/?id=${String(ids[7]).toUpperCase()}&status=`)).text())).toEqual([ids[7]]);
    const { body } = await read(String(ids[9]));
    expect(listed(await (await bank.openControl(`/?id=${String(body['bankOperationId'])}`)).text())).toEqual([ids[9]]);
    expect(listed(await (await bank.openControl(`/?id=${encodeURIComponent("' or 1=1 --")}`)).text())).toEqual([]);
    expect((await bank.openControl('/?status=NONE')).status).toBe(400);
    expect((await bank.openControl('/?after=x_y')).status).toBe(400);
  });

  it.each([
    ['approve', 'APPROVED', undefined],
    ['decline', 'DECLINED', 'DECLINED_BY_ISSUER'],
  ])('a pending operation has buttons; %s makes it %s', async (decision, status, reason) => {
    const { operationId, path } = await givenSbp('1094');
    await bank.press(path, 'pay');
    const details = `/operations/${operationId}`;
    expect(await (await bank.openControl(`${details}?lang=en`)).text()).toContain('value="approve"');
    const pressed = await bank.pressControl(`${details}/decide?lang=en`, decision);
    expect([pressed.status, pressed.headers.get('location')]).toEqual([303, `${details}?lang=en`]);
    const { body } = await read(operationId);
    expect([body['status'], body['reason']]).toEqual([status, reason]);
    const after = await (await bank.openControl(`${details}?lang=en`)).text();
    expect(after).not.toContain('value="approve"');
    expect(after).toContain('PENDING');
    expect((await bank.pressControl(`${details}/decide`, decision)).status).toBe(409);
  });

  it('404 in words for an operation that does not exist, and for any other path', async () => {
    for (const path of ['/operations/00000000-0000-4000-8000-000000000000', '/nothing']) {
      const response = await bank.openControl(path);
      expect(response.status).toBe(404);
      expect(await response.text()).toContain('<h1>Такой страницы нет</h1>');
    }
    const json = await bank.openControl('/control/nothing');
    expect(toRecord(await json.json())['errorCode']).toBe('OPERATION_NOT_FOUND');
  });

  it('the style is served from here', async () => {
    const css = await bank.openControl('/assets/bank.css');
    expect([css.status, css.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  });
});
