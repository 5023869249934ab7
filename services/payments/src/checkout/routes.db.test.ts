import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { trustedProxies } from '@pay/shared/net/client-address.ts';
import { DEFAULT_PARTNER, startTestApp, type TestApp } from '../../test/app.ts';
import { createCheckoutApp } from './app.ts';
import { createLimits, LIMITS_PER_MINUTE } from './limits.ts';
import { TEXTS } from './texts/texts.ts';

const CARD = { number: '4111 1111 1111 1111', expiry: '12/30', cvv: '123' };

let service: TestApp;
let form: Listener;

beforeAll(async () => {
  service = await startTestApp();
  form = await listen(createCheckoutApp(service.deps, trustedProxies.parse('none'), createLimits(LIMITS_PER_MINUTE)), '127.0.0.1', 0);
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
    const { checkoutToken, orderID } = await service.givenPayment({ amount: 1250.5, description: 'Три книги' });
    const { status, text } = await get(`/pay/${checkoutToken}`);
    expect(status).toBe(200);
    expect(text).toContain(orderID);
    expect(text).toContain('Три книги');
    expect(text).toContain('1\u00a0250,50\u00a0₽');
  });

  it('takes an approved card, once, and then says "paid" and "already paid"', async () => {
    const { id, checkoutToken } = await service.givenPayment();
    const answers = await Promise.all([post(`/pay/${checkoutToken}/card`, CARD), post(`/pay/${checkoutToken}/card`, CARD)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect((await service.payment(id))['status']).toBe('COMPLETED');
    expect((await get(`/pay/${checkoutToken}/result`)).text).toContain(`<h1>${TEXTS.ru.paid.title}</h1>`);
    expect((await get(`/pay/${checkoutToken}`)).text).toContain(`<h1>${TEXTS.ru.paid.already}</h1>`);
  });

  it('lets the buyer cancel', async () => {
    const { id, checkoutToken } = await service.givenPayment();
    expect((await post(`/pay/${checkoutToken}/cancel`, {})).status).toBe(303);
    expect((await service.payment(id))['status']).toBe('CANCELLED');
    expect((await get(`/pay/${checkoutToken}`)).text).toContain(`<h1>${TEXTS.ru.cancelled.title}</h1>`);
  });

  it('a wrong field changes nothing, and the payment can still be paid', async () => {
    const { id, checkoutToken } = await service.givenPayment();
    expect((await post(`/pay/${checkoutToken}/card`, { ...CARD, number: '4111 1111 1111 1112' })).status).toBe(400);
    expect(await service.payment(id)).toMatchObject({ status: 'SUBMITTED', card_sent_at: null });
    expect((await post(`/pay/${checkoutToken}/card`, CARD)).status).toBe(303);
    expect((await service.payment(id))['status']).toBe('COMPLETED');
  });

  it('takes another card where the point allows it, and sends nothing from a form before the decline', async () => {
    await service.rows(`update payment_points set card_attempts = 2`);
    const { id, checkoutToken } = await service.givenPayment();
    expect((await post(`/pay/${checkoutToken}/card`, { ...CARD, number: '4000 0000 0000 9995' })).status).toBe(303);
    const { text } = await get(`/pay/${checkoutToken}/result`);
    expect(text).toContain(TEXTS.ru.failures.INSUFFICIENT_FUNDS.what);
    expect(text).toContain('<input type="hidden" name="declined" value="1"/>');
    expect(JSON.parse((await get(`/pay/${checkoutToken}/state`)).text)).toEqual({ status: 'SUBMITTED', page: 'card', declined: 1 });
    expect((await post(`/pay/${checkoutToken}/card`, CARD)).status).toBe(303);
    expect(await service.payment(id)).toMatchObject({ status: 'SUBMITTED', card_sent_at: null });
    expect((await post(`/pay/${checkoutToken}/card`, { ...CARD, declined: '1' })).status).toBe(303);
    expect((await service.payment(id))['status']).toBe('COMPLETED');
    await service.rows(`update payment_points set card_attempts = 1`);
  });

  it('ends with the session', async () => {
    const { checkoutToken } = await service.givenPayment();
    await service.moveClock('2 hours');
    expect((await get(`/pay/${checkoutToken}`)).text).toContain(`<h1>${TEXTS.ru.expired.title}</h1>`);
  });

  it('404 for a token that nobody has', async () => {
    expect((await get('/pay/nobody-has-this-token-0000')).status).toBe(404);
  });
});

describe('a card that is to be saved', () => {
  const SAVING = { savePaymentMethod: true, recurringConsent: { period: 'P1M' } };
  const hashOf = (page: string) => /name="text" value="([0-9a-f]{64})"/.exec(page)?.[1] ?? '';

  /** A browser, as far as it keeps what a page sets and shows it there again. */
  function openBrowser() {
    let kept = '';
    const visit = async (path: string, init: RequestInit = {}) => {
      const answer = await fetch(address(path), { ...init, redirect: 'manual', headers: kept === '' ? {} : { cookie: kept } });
      const set = answer.headers.getSetCookie().find((cookie) => cookie.startsWith('payer='));
      if (set !== undefined) kept = set.split(';')[0] ?? '';
      return { status: answer.status, text: await answer.text(), set };
    };
    const send = (path: string, fields: Record<string, string>) => visit(path, { method: 'POST', body: new URLSearchParams(fields) });
    return { visit, send };
  }
  const linkIn = (page: string) => /href="(\/saved-card\/[^"]+)"/.exec(page)?.[1] ?? '';

  /** A buyer who ticks the box, pays, and finds the link to the saved card. */
  async function save(): Promise<{ id: string; cardPath: string; bindingId: string; checkoutToken: string }> {
    const { id, checkoutToken } = await service.givenPayment(SAVING);
    const { visit, send } = openBrowser();
    const text = hashOf((await visit(`/pay/${checkoutToken}`)).text);
    await send(`/pay/${checkoutToken}/consent`, { agree: 'yes', text });
    await visit(`/pay/${checkoutToken}`);
    await send(`/pay/${checkoutToken}/card`, CARD);
    const cardPath = linkIn((await visit(`/pay/${checkoutToken}/result`)).text);
    return { id, checkoutToken, cardPath, bindingId: String((await service.payment(id))['binding_id']) };
  }

  /** What the bindings service would have made of the first payment's message. */
  function bind(bindingId: string): void {
    service.bindings.known.set(bindingId, {
      partnerId: DEFAULT_PARTNER,
      status: 'ACTIVE',
      period: 'P1M',
      nextChargeAt: '2026-12-21T00:00:00.000Z',
      cardMask: '411111******1111',
      cardExpiry: '2030-12',
    });
  }

  it('the text that is told with consent.given is the one that stood on the page, and the address the buyer’s', async () => {
    const { id } = await save();
    const [told] = await service.messages(id);
    const { text, sha256, version, address, userAgent } = told?.payload ?? {};
    expect(createHash('sha256').update(String(text)).digest('hex')).toBe(sha256);
    expect(String(text)).toContain('Coffee & Books');
    expect([version, address, userAgent]).toEqual(['2026-11-23.ru', '127.0.0.1', 'node']);
  });

  it('an address that a stranger’s header claims does not count', async () => {
    const { id, checkoutToken } = await service.givenPayment(SAVING);
    const text = hashOf((await get(`/pay/${checkoutToken}`)).text);
    await fetch(address(`/pay/${checkoutToken}/consent`), {
      method: 'POST',
      body: new URLSearchParams({ agree: 'yes', text }),
      headers: { 'x-forwarded-for': '198.51.100.1' },
      redirect: 'manual',
    });
    expect((await service.messages(id))[0]?.payload['address']).toBe('127.0.0.1');
  });

  it('the buyer sees it behind the link of the result page, and revokes it there', async () => {
    const { cardPath, bindingId } = await save();
    expect((await get(cardPath)).text).toContain(`<h1>${TEXTS.ru.savedCard.notYet.title}</h1>`);
    bind(bindingId);
    const page = (await get(cardPath)).text;
    expect(page).toContain('•• 1111');
    expect(page).toContain('Coffee &amp; Books');
    expect((await post(`${cardPath}/revoke`, {})).status).toBe(303);
    expect(service.bindings.revocations).toContain(bindingId);
    expect((await get(cardPath)).text).toContain(`<h1>${TEXTS.ru.savedCard.revoked.title}</h1>`);
  });

  it('a buyer of a partner that was moved to another cell is sent to the checkout there', async () => {
    const { cardPath, bindingId } = await save();
    bind(bindingId);
    await service.rows(
      `insert into moved_partners (partner_id, cell, checkout_url) values ('${DEFAULT_PARTNER}', 'cell-2', 'https://pay.cell-2.example')`,
    );
    const { status, location } = await get(cardPath);
    expect([status, location]).toEqual([303, `https://pay.cell-2.example${cardPath}`]);
    expect((await post(`${cardPath}/revoke`, {})).status).toBe(303);
    expect(service.bindings.revocations).not.toContain(bindingId);
    await service.rows('delete from moved_partners');
  });

  it('who has the payment’s address and did not send the card finds no link to it: not the shop, not with a key of its own (L9)', async () => {
    const { checkoutToken, id, cardPath } = await save();
    expect(cardPath).not.toBe('');
    const shop = openBrowser();
    for (const path of [`/pay/${checkoutToken}`, `/pay/${checkoutToken}/result`, `/pay/${checkoutToken}/returned`]) {
      const { text } = await shop.visit(path);
      expect([linkIn(text), text.includes(TEXTS.ru.savedCard.elsewhere)]).toEqual(['', true]);
      const cookie = `payer=${'A'.repeat(43)}`;
      expect(linkIn(await (await fetch(address(path), { headers: { cookie } })).text())).toBe('');
    }
    // A card that comes too late makes nobody the payer, and what is kept is a hash.
    await shop.send(`/pay/${checkoutToken}/card`, CARD);
    expect(linkIn((await shop.visit(`/pay/${checkoutToken}/result`)).text)).toBe('');
    expect((await service.payment(id))['payer_key_sha256']).toMatch(/^[0-9a-f]{64}$/);
  });

  it('of two browsers that opened the form, the one that sent the card finds the link (L9)', async () => {
    const { checkoutToken } = await service.givenPayment(SAVING);
    const [phone, desk] = [openBrowser(), openBrowser()];
    const text = hashOf((await phone.visit(`/pay/${checkoutToken}`)).text);
    await phone.send(`/pay/${checkoutToken}/consent`, { agree: 'yes', text });
    const [first, again] = [await phone.visit(`/pay/${checkoutToken}`), await phone.visit(`/pay/${checkoutToken}`)];
    expect(first.set).toMatch(new RegExp(`^payer=[\\w-]{43}; Path=/pay/${checkoutToken}; Max-Age=\\d+; HttpOnly; SameSite=Lax; Secure$`));
    expect(again.set).toBeUndefined();
    await desk.visit(`/pay/${checkoutToken}`);
    await desk.send(`/pay/${checkoutToken}/card`, CARD);
    const links = [phone, desk].map(async ({ visit }) => linkIn((await visit(`/pay/${checkoutToken}/result`)).text) !== '');
    expect(await Promise.all(links)).toEqual([false, true]);
  });

  it('a link that nobody opens is over after 400 days; one that is opened is good for 400 more (L9)', async () => {
    const [used, unused] = [await save(), await save()];
    for (const { bindingId } of [used, unused]) bind(bindingId);
    await service.moveClock('399 days');
    expect((await get(used.cardPath)).status).toBe(200);
    await service.moveClock('2 days');
    const statuses = async () => [(await get(used.cardPath)).status, (await get(unused.cardPath)).status];
    expect(await statuses()).toEqual([200, 404]);
    expect((await post(`${unused.cardPath}/revoke`, {})).status).toBe(404);
    await service.moveClock('397 days');
    expect(await statuses()).toEqual([200, 404]);
    await service.moveClock('401 days');
    expect(await statuses()).toEqual([404, 404]);
  });

  it('a link is over 30 days after its card was seen to have ended (L9)', async () => {
    const { cardPath, bindingId } = await save();
    bind(bindingId);
    expect((await post(`${cardPath}/revoke`, {})).status).toBe(303);
    await service.moveClock('29 days');
    expect((await get(cardPath)).text).toContain(`<h1>${TEXTS.ru.savedCard.revoked.title}</h1>`);
    await service.moveClock('2 days');
    expect((await get(cardPath)).status).toBe(404);
  });

  it('404 for a link that was altered, cut, or signed for another card: nobody’s card is shown or revoked', async () => {
    const [a, b] = [await save(), await save()];
    const [, , idA = '', signatureA = ''] = a.cardPath.split(/[/.]/);
    const [, , idB = '', signatureB = ''] = b.cardPath.split(/[/.]/);
    bind(a.bindingId);
    const before = service.bindings.revocations.length;
    const flipped = signatureA.startsWith('A') ? `B${signatureA.slice(1)}` : `A${signatureA.slice(1)}`;
    for (const link of [
      `${idA}.${signatureB}`,
      `${idB}.${signatureA}`,
      `${idA}.${flipped}`,
      `${idA}.${signatureA.slice(0, -1)}`,
      `${idA}.${signatureA}x`,
      `${idA}.`,
      idA,
      `${idA.toUpperCase()}.${signatureA}`,
    ]) {
      expect({ link, status: (await get(`/saved-card/${link}`)).status }).toEqual({ link, status: 404 });
      expect((await post(`/saved-card/${link}/revoke`, {})).status).toBe(404);
    }
    expect(service.bindings.revocations).toHaveLength(before);
  });

  it('503 while bindings are away, and the card is as it was', async () => {
    const { cardPath, bindingId } = await save();
    bind(bindingId);
    service.bindings.isBroken = true;
    expect((await get(cardPath)).status).toBe(503);
    expect((await post(`${cardPath}/revoke`, {})).status).toBe(503);
    service.bindings.isBroken = false;
    expect(service.bindings.known.get(bindingId)?.status).toBe('ACTIVE');
  });

  it('no link where no card was saved', async () => {
    const { checkoutToken } = await service.givenPayment(SAVING);
    await post(`/pay/${checkoutToken}/consent`, {});
    await post(`/pay/${checkoutToken}/card`, CARD);
    expect((await get(`/pay/${checkoutToken}/result`)).text).not.toContain('/saved-card/');
  });
});

it('the pages of a payment that ended are gone 30 days after its session (L9)', async () => {
  const { checkoutToken } = await service.givenPayment();
  await post(`/pay/${checkoutToken}/card`, CARD);
  await service.moveClock('29 days');
  expect((await get(`/pay/${checkoutToken}`)).status).toBe(200);
  await service.moveClock('3 days');
  expect([(await get(`/pay/${checkoutToken}`)).status, (await get(`/pay/${checkoutToken}/result`)).status]).toEqual([404, 404]);
});
