import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { payAtCheckout } from './buyer.ts';

const CARD = { number: '4111111111111111', expiry: '12/34', cvv: '123' };

describe('paying on a form without JavaScript', () => {
  let server: Server;
  let origin: string;
  let received: { body: string; cookie: string | undefined; origin: string | undefined };
  let formStatus: number;
  let answers: string[];

  beforeEach(async () => {
    formStatus = 303;
    answers = [];
    server = createServer((request, response) => {
      if (request.method === 'POST') {
        void text(request).then((body) => {
          answers.push(body);
          received = { body, cookie: request.headers.cookie, origin: request.headers.origin };
          response.writeHead(formStatus, { location: request.url === '/ask' ? '/pay' : '/done' }).end();
        });
      } else if (request.url === '/pay') {
        response.writeHead(200, { 'set-cookie': 'session=s1; HttpOnly', 'content-type': 'text/html' });
        response.end(`<form method="get" action="/language"><button name="lang" value="ru">RU</button></form>
          <form method="post" action="/pay?a=1&amp;b=2"><input type="hidden" name="token" value="a&amp;b">
          <input name="number" autocomplete="cc-number"><input name="expiry" autocomplete="cc-exp">
          <input name="cvv" autocomplete="cc-csc"><input type="checkbox" name="consent" value="yes">
          <button type="submit">Pay</button></form>`);
      } else if (request.url === '/ask') {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end(`<form method="post" action="/ask" data-consent-form><input type="hidden" name="text" value="h1">
          <input type="checkbox" name="agree" value="yes"><button type="submit">Go</button></form>`);
      } else response.writeHead(200).end('done');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('fills the card form by its autofill names, keeps hidden fields and cookies, ticks nothing', async () => {
    expect(await payAtCheckout(`${origin}/pay`, CARD)).toMatchObject({ url: `${origin}/done`, status: 200 });
    expect(Object.fromEntries(new URLSearchParams(received.body))).toEqual({
      token: 'a&b',
      number: CARD.number,
      expiry: CARD.expiry,
      cvv: CARD.cvv,
    });
    expect(received).toMatchObject({ cookie: 'session=s1', origin });
  });

  it.each([
    [true, 'agree=yes&text=h1'],
    [false, 'text=h1'],
  ])('answers the question about saving first, box ticked: %s', async (agree, answer) => {
    expect((await payAtCheckout(`${origin}/ask`, CARD, { agree })).url).toBe(`${origin}/done`);
    expect(answers).toEqual([answer, expect.stringContaining('number=')]);
  });

  it('fails where there is no card form', async () => {
    await expect(payAtCheckout(`${origin}/done`, CARD)).rejects.toThrow('no card form');
  });

  it('fails where the form does not take the card', async () => {
    formStatus = 422;
    await expect(payAtCheckout(`${origin}/pay`, CARD)).rejects.toThrow('422');
  });
});
