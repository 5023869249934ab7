import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { request } from 'node:http';
import { startStories, type Stories } from '../../test/checkout-pages.ts';
import { TEXTS } from './texts/texts.ts';

/** As few as the stories need: a slow machine then has no time to earn another one in the middle of one. */
const LIMITS = { requests: 1_000, unknownLinks: 5, bankAsks: 3 };

let stories: Stories;
beforeEach(async () => {
  stories = await startStories(LIMITS);
});
afterEach(() => stories.stop());

type Answer = { readonly status: number; readonly text: string; readonly headers: Readonly<Record<string, unknown>> };

/** Sends these headers and no others; a body makes it a POST. */
function send(path: string, headers: Record<string, string> = {}, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(stories.origin);
    request({ hostname, port, path, headers, method: body === undefined ? 'GET' : 'POST' }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        resolve({
          status: answer.statusCode ?? 0,
          text: Buffer.concat(chunks).toString('utf8'),
          headers: answer.headers,
        });
      });
    })
      .on('error', reject)
      .end(body);
  });
}

/** Guesses until a guess is refused; how many were looked up. */
async function guess(): Promise<{ lookedUp: number; refused: Answer }> {
  for (let count = 0; count < 100; count += 1) {
    const answer = await send(`/pay/nobody-has-this-token-${String(count)}`);
    if (answer.status === 429) return { lookedUp: count, refused: answer };
  }
  throw new Error('a hundred guesses were looked up');
}

it('who guesses links is refused before they are looked up, and the buyer who pays at the same address goes on (M8)', async () => {
  const mine = stories.tell({});
  expect((await send(mine)).status).toBe(200);
  const { lookedUp, refused } = await guess();
  expect(lookedUp).toBe(5);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  expect(refused.text).toContain(`<h1>${TEXTS.ru.tooMany.title}</h1>`);
  expect(refused.headers['content-security-policy']).toContain("default-src 'none'");
  // Not seen before, and so not told apart from a guess.
  expect((await send(stories.tell({}))).status).toBe(429);
  expect((await send(mine)).status).toBe(200);
});

it('past its requests an address gets a page that a buyer understands, in his language, and the files of pages (M8)', async () => {
  await stories.stop();
  stories = await startStories({ ...LIMITS, requests: 2 });
  const path = stories.tell({});
  const page = (await send(path)).text;
  const answers = await Promise.all(Array.from({ length: 20 }, () => send(path)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  const refused = await send(`${path}?lang=en`);
  expect(refused.status).toBe(429);
  expect(refused.text).toContain(TEXTS.en.tooMany.what.replaceAll("'", '&#39;'));
  expect((await send(/href="(\/assets\/[^"]+\.css)"/.exec(page)?.[1] ?? '')).status).toBe(200);
});

it('a stranger’s script, picture or frame in a page is no return from the bank; the bank’s own form and a link are (M7)', async () => {
  const path = `${stories.tell({ status: 'PENDING', acsUrl: stories.bank })}/return`;
  const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };
  for (const mode of ['no-cors', 'cors']) {
    expect((await send(path, { ...foreign, 'sec-fetch-mode': mode }, 'cres=x')).status).toBe(403);
    expect((await send(path, { ...foreign, 'sec-fetch-mode': mode })).status).toBe(403);
  }
  const visit = { ...foreign, 'sec-fetch-mode': 'navigate' };
  expect((await send(path, visit, 'cres=x')).status).toBe(303);
  expect((await send(path, visit)).status).toBe(303);
  expect((await send(path, {}, 'cres=x')).status).toBe(303);
});

it('the state of a payment is told to our own page only (M7)', async () => {
  const path = `${stories.tell({ status: 'PENDING' })}/state`;
  expect((await send(path, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).status).toBe(403);
  expect((await send(path, { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' })).status).toBe(200);
});

it('past its questions to banks an address sends no more cards, and a page that waits goes on waiting (M8)', async () => {
  const path = stories.tell({ status: 'PENDING', acsUrl: stories.bank });
  for (let count = 0; count < 3; count += 1) expect((await send(`${path}/return`, {}, 'cres=x')).status).toBe(303);
  expect((await send(`${path}/return`, {}, 'cres=x')).status).toBe(429);
  expect((await send(`${path}/state`)).status).toBe(200);
  expect((await send(`${path}/return`)).status).toBe(303);
  expect(stories.bankAsks()).toBe(3);
  const other = stories.tell({});
  const refused = await send(`${other}/card`, { 'content-type': 'application/x-www-form-urlencoded' }, 'number=1');
  expect([refused.status, stories.cardsTaken(other)]).toEqual([429, 0]);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const told = await send(`${other}/card?lang=en`, form, 'number=1&answer=json');
  expect(JSON.parse(told.text)).toEqual({ trouble: `${TEXTS.en.tooMany.what} ${TEXTS.en.tooMany.advice}` });
  expect([told.status, Number(told.headers['retry-after']) > 0]).toEqual([429, true]);
});
