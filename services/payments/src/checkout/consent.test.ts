import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chargePeriod } from '@pay/contract/fields.ts';
import { ASKED, startStories, type Stories } from '../../test/checkout-pages.ts';
import { consentDocument } from './consent/consent-document.ts';
import { LANGUAGES } from '../wording/language.ts';
import { TEXTS } from './texts/texts.ts';

let stories: Stories;
beforeAll(async () => {
  stories = await startStories();
});
afterAll(async () => {
  await stories.stop();
});

const get = (path: string): Promise<Response> => fetch(stories.origin + path, { redirect: 'manual' });

function post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> {
  const body = new URLSearchParams(fields);
  return fetch(stories.origin + path, { method: 'POST', body, headers, redirect: 'manual' });
}

const ask = () => stories.tell({ status: 'CREATED', saving: ASKED });
const SHOP = 'Книжный магазин «Тихая гавань»';

/** The text of a page as a reader has it: without tags, with characters instead of entities. */
function readable(page: string): string {
  return page
    .replace(/<[^>]+>/g, '\n')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&');
}

/** The hash that the page carries: of the text that stands on it. */
const hashOf = (page: string) => /name="text" value="([0-9a-f]{64})"/.exec(page)?.[1] ?? '';

describe.each(LANGUAGES)('the question, in %s', (language) => {
  const texts = TEXTS[language];
  const document = consentDocument(language, { shop: SHOP, period: 'P1M' });

  it('names the shop, the period in words, that no amount is fixed, the way to take it back, and links to the full text', async () => {
    const path = ask();
    const page = readable(await (await get(`${path}?lang=${language}`)).text());
    for (const words of [document.question, document.box, ...document.points.flatMap(({ term, text }) => [term, text])])
      expect(page).toContain(words);
    expect(document.box).toContain(SHOP);
    expect(document.text).toContain(language === 'ru' ? 'в\u00a0календарный месяц' : 'once in a calendar month');
    expect(document.text).toContain(language === 'ru' ? 'Сумма не\u00a0установлена' : 'No amount is fixed');
    expect(document.text).not.toMatch(/\d\s*(₽|руб|RUB)/);
    expect(await (await get(`${path}?lang=${language}`)).text()).toContain(`href="${path}/consent/text?lang=${language}"`);
  });

  it('what is kept is every word that the two pages show, and its hash is what the form carries', async () => {
    const path = ask();
    const question = await (await get(`${path}?lang=${language}`)).text();
    const full = await (await get(`${path}/consent/text?lang=${language}`)).text();
    const shown = readable(question) + readable(full);
    for (const line of document.text.split('\n')) expect(shown).toContain(line);
    expect(hashOf(question)).toBe(createHash('sha256').update(document.text, 'utf8').digest('hex'));
    expect(readable(full)).toContain(document.version);
  });

  it('every period has words of its own, without a code', () => {
    const spoken = chargePeriod.options.map((period) => consentDocument(language, { shop: 'S', period }).box);
    expect(new Set(spoken).size).toBe(chargePeriod.options.length);
    expect(spoken.join()).not.toMatch(/P1[DWMY]|PT1[MH]/);
  });

  it('a tick is kept with the text of that language, address and agent, whatever language the answer is sent in', async () => {
    const path = ask();
    const sha256 = hashOf(await (await get(`${path}?lang=${language}`)).text());
    const answer = await post(
      `${path}/consent?lang=${language === 'ru' ? 'en' : 'ru'}`,
      { agree: 'yes', text: sha256 },
      { 'user-agent': 'Reader/1.0' },
    );
    expect(answer.status).toBe(303);
    expect(stories.answersOf(path)).toEqual([
      { text: document.text, version: document.version, sha256, address: '127.0.0.1', userAgent: 'Reader/1.0' },
    ]);
  });

  it('afterwards the card page says what becomes of the card, and leads back to the question', async () => {
    const path = ask();
    await post(`${path}/consent`, {});
    const page = await (await get(`${path}?lang=${language}`)).text();
    expect(readable(page)).toContain(texts.consent.declined);
    expect(page).toContain(`href="${path}/consent?lang=${language}"`);
    expect(page).toContain('autocomplete="cc-number"');
  });
});

describe('the box', () => {
  it('is never ticked: not at first, not after either answer, not when the text changed (K12)', async () => {
    const path = ask();
    const pages = [await get(path), await get(`${path}/consent`)];
    const sha256 = hashOf(await (await get(path)).text());
    pages.push(await post(`${path}/consent`, { agree: 'yes', text: 'f'.repeat(64) }));
    await post(`${path}/consent`, { agree: 'yes', text: sha256 });
    pages.push(await get(`${path}/consent`));
    await post(`${path}/consent`, { text: sha256 });
    pages.push(await get(`${path}/consent`));
    for (const answer of pages) {
      const page = await answer.text();
      expect(page).toMatch(/<input id="agree" name="agree" type="checkbox" value="yes" autocomplete="off"/);
      expect(page).not.toMatch(/checked/);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    }
  });

  it('left empty: paid once, and nothing is kept, whatever else the form carries', async () => {
    for (const fields of [{}, { agree: '' }, { agree: 'no' }, { agree: 'on', text: 'x' }]) {
      const path = ask();
      expect((await post(`${path}/consent`, fields)).status).toBe(303);
      expect(stories.answersOf(path)).toEqual([undefined]);
    }
  });

  it('409: ticked beside another text than the present one; nothing is kept and the buyer is asked anew', async () => {
    const path = ask();
    const sha256 = hashOf(await (await get(path)).text());
    stories.change(path, { storeName: 'Другой магазин' });
    const answer = await post(`${path}/consent`, { agree: 'yes', text: sha256 });
    const page = await answer.text();
    expect(answer.status).toBe(409);
    expect(readable(page)).toContain(TEXTS.ru.consent.changed.what);
    expect(readable(page)).toContain('Другой магазин');
    expect(stories.answersOf(path)).toEqual([]);
  });

  it('403: ticked on somebody else’s page', async () => {
    const path = ask();
    const text = hashOf(await (await get(path)).text());
    const answer = await post(`${path}/consent`, { agree: 'yes', text }, { 'sec-fetch-site': 'cross-site' });
    expect(answer.status).toBe(403);
    expect(stories.answersOf(path)).toEqual([]);
  });
});

describe('when there is nothing to ask', () => {
  it.each([
    ['an ordinary payment', { status: 'SUBMITTED' }],
    ['a shop that asked itself', { status: 'SUBMITTED', saving: { ...ASKED, consent: 'GIVEN', canAnswer: false } }],
    ['a card on its way', { status: 'PENDING', saving: { ...ASKED, consent: 'GIVEN', canAnswer: false } }],
  ] as const)('%s: the payment’s page, and no answer is taken', async (_what, story) => {
    const path = stories.tell(story);
    for (const answer of [
      await get(`${path}/consent`),
      await get(`${path}/consent/text`),
      await post(`${path}/consent`, { agree: 'yes', text: 'f'.repeat(64) }),
    ]) {
      expect([answer.status, answer.headers.get('location')]).toEqual([303, path]);
    }
    expect(stories.answersOf(path)).toEqual([]);
  });

  it('a session that is over asks nothing', async () => {
    const now = new Date('2026-11-21T12:00:00.000Z');
    const path = stories.tell({ status: 'CREATED', saving: { ...ASKED, canAnswer: false }, now, expiresAt: now });
    expect(await (await get(path)).text()).toContain(`<h1>${TEXTS.ru.expired.title}</h1>`);
  });
});

describe('the wording', () => {
  // A red test here means: the text that buyers agree to has changed. Give it a new version, then its new hash.
  it.each([
    ['ru', '2026-11-23.ru', '87f3da23b26fbbd841266175f6eb5e8cfe6775ade9ffcf0d698119ea1dfe6c58'],
    ['en', '2026-11-23.en', '450eb27c1ae132bed2ab729e00b2db92fae5383fe2e1056cdfcac25aea897ed7'],
  ] as const)('in %s is the one that version %s names', (language, version, sha256) => {
    const document = consentDocument(language, { shop: 'Shop', period: 'P1M' });
    expect([document.version, document.sha256]).toEqual([version, sha256]);
  });
});

describe('a saved card', () => {
  it.each(LANGUAGES)('shows the end of its number, the period and the earliest next charge, in %s', async (language) => {
    const page = readable(await (await get(`${stories.tellCard()}?lang=${language}`)).text());
    const next = { ru: '21 декабря 2026 г. в 14:00', en: '21 December 2026 at 14:00' };
    for (const words of [SHOP, '•• 0009', '12/34', next[language], TEXTS[language].savedCard.revoke]) expect(page).toContain(words);
    expect(page).not.toContain('220070');
  });

  it('leaves out what the bank did not tell', async () => {
    const page = readable(await (await get(stories.tellCard({ cardMask: undefined, cardExpiry: undefined }))).text());
    expect(page).not.toContain('undefined');
    expect(page).not.toContain(TEXTS.ru.savedCard.expiry);
  });

  it('one press revokes it: then it says so, offers no button, and a second press does no harm', async () => {
    const path = stories.tellCard();
    for (let press = 0; press < 2; press += 1) {
      const answer = await post(`${path}/revoke?lang=en`, {});
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `${path}?lang=en`]);
    }
    const page = await (await get(path)).text();
    expect(page).toContain(`<h1>${TEXTS.ru.savedCard.revoked.title}</h1>`);
    expect(page).not.toContain('<form');
    expect(readable(page)).not.toContain(TEXTS.ru.savedCard.nextCharge);
  });

  it('an expired one says that nothing is charged any more', async () => {
    const page = await (await get(stories.tellCard({ status: 'EXPIRED' }))).text();
    expect(page).toContain(`<h1>${TEXTS.ru.savedCard.expired.title}</h1>`);
    expect(page).not.toContain('<form');
  });

  it('403 for a form of somebody else’s page: nothing is revoked', async () => {
    const path = stories.tellCard();
    expect((await post(`${path}/revoke`, {}, { origin: 'https://evil.example' })).status).toBe(403);
    expect(await (await get(path)).text()).toContain(TEXTS.ru.savedCard.revoke);
  });

  it('503 while bindings do not answer: says so, and to come again', async () => {
    const path = stories.tellCard();
    stories.setBindings(false);
    const answers = [await get(path), await post(`${path}/revoke`, {})];
    stories.setBindings(true);
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
      expect(await answer.text()).toContain(TEXTS.ru.savedCard.unavailable.what);
    }
    expect(await (await get(path)).text()).toContain(TEXTS.ru.savedCard.revoke);
  });

  it('404 for a link that nobody signed', async () => {
    for (const answer of [await get('/saved-card/nobody'), await post('/saved-card/nobody/revoke', {})]) {
      expect(answer.status).toBe(404);
      expect(await answer.text()).toContain(TEXTS.ru.savedCard.unknown.what);
    }
  });

  it('the page after the payment leads there', async () => {
    const path = stories.tell({ status: 'COMPLETED', savedCard: { link: 'a-link.signed' } });
    expect(await (await get(`${path}/result?lang=en`)).text()).toContain('href="/saved-card/a-link.signed?lang=en"');
    expect(await (await get(`${stories.tell({ status: 'COMPLETED' })}/result`)).text()).not.toContain('/saved-card/');
    const elsewhere = await (await get(`${stories.tell({ status: 'COMPLETED', savedCard: { link: undefined } })}/result`)).text();
    expect(readable(elsewhere)).toContain(TEXTS.ru.savedCard.elsewhere);
    expect(elsewhere).not.toContain('/saved-card/');
  });
});
