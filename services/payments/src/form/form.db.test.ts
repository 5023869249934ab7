import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { createFormApp } from './app.ts';
import { TEXTS } from './texts/texts.ts';

const CARD = { number: '4111 1111 1111 1111', expiry: '12/30', cvv: '123' };

let service: TestApp;
let form: Listener;

beforeAll(async () => {
  service = await startTestApp();
  form = await listen(createFormApp(service.deps, { proxyHops: 0 }), '127.0.0.1', 0);
});

afterAll(async () => {
  await form.drain(0);
  await service.close();
});

const address = (path: string) => `http://127.0.0.1:${String(form.port)}${path}`;

async function get(path: string): Promise<{ status: number; text: string; location: string | null }> {
  const answer = await fetch(address(path), { redirect: 'manual' });
  return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') };
}

async function post(path: string, fields: Record<string, string>): Promise<{ status: number; text: string }> {
  const answer = await fetch(address(path), { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  return { status: answer.status, text: await answer.text() };
}

describe('the form over the real use cases', () => {
  it('shows shop, order, purpose and amount of the payment behind the token', async () => {
    const { formToken, orderID } = await service.givenPayment({ amount: 1250.5, description: 'Три книги' });
    const { status, text } = await get(`/pay/${formToken}`);
    expect(status).toBe(200);
    expect(text).toContain(orderID);
    expect(text).toContain('Три книги');
    expect(text).toContain('1\u00a0250,50\u00a0₽');
  });

  it('takes an approved card, once, and then says "paid" and "already paid"', async () => {
    const { id, formToken } = await service.givenPayment();
    const answers = await Promise.all([post(`/pay/${formToken}/card`, CARD), post(`/pay/${formToken}/card`, CARD)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect((await service.payment(id))['status']).toBe('COMPLETED');
    expect((await get(`/pay/${formToken}/result`)).text).toContain(`<h1>${TEXTS.ru.paid.title}</h1>`);
    expect((await get(`/pay/${formToken}`)).text).toContain(`<h1>${TEXTS.ru.paid.already}</h1>`);
  });

  it('lets the buyer cancel', async () => {
    const { id, formToken } = await service.givenPayment();
    expect((await post(`/pay/${formToken}/cancel`, {})).status).toBe(303);
    expect((await service.payment(id))['status']).toBe('CANCELLED');
    expect((await get(`/pay/${formToken}`)).text).toContain(`<h1>${TEXTS.ru.cancelled.title}</h1>`);
  });

  it('a wrong field changes nothing, and the payment can still be paid', async () => {
    const { id, formToken } = await service.givenPayment();
    expect((await post(`/pay/${formToken}/card`, { ...CARD, number: '4111 1111 1111 1112' })).status).toBe(400);
    expect(await service.payment(id)).toMatchObject({ status: 'SUBMITTED', card_sent_at: null });
    expect((await post(`/pay/${formToken}/card`, CARD)).status).toBe(303);
    expect((await service.payment(id))['status']).toBe('COMPLETED');
  });

  it('ends with the session', async () => {
    const { formToken } = await service.givenPayment();
    await service.moveClock('2 hours');
    expect((await get(`/pay/${formToken}`)).text).toContain(`<h1>${TEXTS.ru.expired.title}</h1>`);
  });

  it('404 for a token that nobody has', async () => {
    expect((await get('/pay/nobody-has-this-token-0000')).status).toBe(404);
  });
});
