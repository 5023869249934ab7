import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { startStories, type Stories } from '../services/payments/test/checkout-pages.ts';
import type { CardField, CardProblem } from '../services/payments/src/checkout/card-input.ts';
import { TEXTS } from '../services/payments/src/checkout/texts/texts.ts';
import { findingsOf, keepScreenshot, openBrowser, SCREENS, visit, withPage, type Visitor } from './browser.ts';

/** Buyers who mistype, lose their connection or press twice, on the card page: decisions/checkout. */
let stories: Stories;
let browser: Browser;

beforeAll(async () => {
  stories = await startStories();
  browser = await openBrowser();
});

afterAll(async () => {
  await browser.close();
  await stories.stop();
});

const PHONE = { screen: 'phone', language: 'ru', javaScript: true } as const satisfies Visitor;
const ru = TEXTS.ru;
const FIELDS = ['number', 'expiry', 'cvv'] as const satisfies readonly CardField[];
const RIGHT: Readonly<Record<CardField, string>> = { number: '4111 1111 1111 1111', expiry: '12/30', cvv: '739' };

async function type(page: Page, card: Readonly<Record<CardField, string>>): Promise<void> {
  for (const field of FIELDS) await page.locator(`#${field}`).fill(card[field]);
}
const pay = (page: Page) => page.locator('#cvv').press('Enter');
const valuesOf = async (page: Page): Promise<Readonly<Record<string, string>>> =>
  Object.fromEntries(await Promise.all(FIELDS.map(async (field) => [field, await page.locator(`#${field}`).inputValue()] as const)));
const paid = (page: Page) => page.getByRole('heading', { name: ru.paid.title, exact: true }).waitFor();
const trouble = (page: Page) => page.locator('[data-trouble]');
/** Keeps the buyer on the page that confirms the payment. */
const stay = (page: Page) => page.route(`${stories.shop}/**`, (route) => route.fulfill({ status: 204 }));
const isInView = (page: Page, selector: string): Promise<unknown> =>
  page.evaluate(`(() => {
    const { top, bottom } = document.querySelector('${selector}').getBoundingClientRect();
    return top >= 0 && bottom <= innerHeight;
  })()`);

const MISTAKES: readonly (readonly [field: CardField, typed: string, problem: CardProblem])[] = [
  ['number', '', 'number-missing'],
  ['number', '4111 1111 1111 1112', 'number-mistyped'],
  ['number', '1411 1111 1111 1111', 'number-mistyped'],
  ['number', '4111 1111 1111', 'number-length'],
  ['number', '4111 1111 1111 1111 1111', 'number-length'],
  ['number', '4111 1111 1111 111O', 'number-not-digits'],
  ['number', '5555 5555 5555 4444', 'number-not-a-test-card'],
  ['expiry', '', 'expiry-missing'],
  ['expiry', '13/28', 'expiry-month'],
  ['expiry', '00/28', 'expiry-month'],
  ['expiry', '2030', 'expiry-month'],
  ['expiry', '09/2', 'expiry-unreadable'],
  ['expiry', 'сентябрь 28', 'expiry-unreadable'],
  ['expiry', '01/20', 'expiry-past'],
  ['expiry', '10/26', 'expiry-past'],
  ['expiry', '12/60', 'expiry-too-far'],
  ['cvv', '', 'cvv-missing'],
  ['cvv', '12', 'cvv-length-3'],
  ['cvv', '1234', 'cvv-length-3'],
  ['cvv', '12a', 'cvv-not-digits'],
];

describe('twenty mistakes, each of which takes one correction', () => {
  it.each(MISTAKES)('%s %j: says %s, and the right fields stay', async (field, typed, problem) => {
    await withPage(browser, PHONE, async (page) => {
      await stay(page);
      const path = stories.tell({});
      await page.goto(stories.origin + path);
      await type(page, { ...RIGHT, [field]: typed });
      await pay(page);
      await page.locator(`#${field}[aria-invalid=true]:focus`).waitFor();
      expect(await page.locator('.problem:visible').allTextContents()).toEqual([ru.card.problems[problem]]);
      expect([await isInView(page, `#${field}-problem`), await isInView(page, `#${field}`)]).toEqual([true, true]);
      expect(await valuesOf(page)).toMatchObject({ ...RIGHT, [field]: expect.any(String) });
      expect([page.url(), stories.cardsTaken(path)]).toEqual([stories.origin + path, 0]);

      await page.locator(`#${field}`).fill(RIGHT[field]);
      expect(await page.locator('.problem:visible').count()).toBe(0);
      await pay(page);
      await paid(page);
      expect(stories.cardsTaken(path)).toBe(1);
    });
  });

  it('what is wrong in the browser’s eyes is not sent anywhere', async () => {
    await withPage(browser, PHONE, async (page) => {
      const path = stories.tell({});
      await page.goto(stories.origin + path);
      await type(page, { number: '4111 1111 1111 1112', expiry: '13/28', cvv: '1' });
      const posted: string[] = [];
      page.on('request', (request) => {
        if (request.method() === 'POST') posted.push(request.url());
      });
      await pay(page);
      await page.locator('#number:focus').waitFor();
      expect(await page.locator('.problem:visible').count()).toBe(3);
      expect(await findingsOf(page)).toEqual([]);
      await keepScreenshot(page, 'form-mistakes-phone');
      expect([posted, stories.cardsPrepared(path)]).toEqual([[], 0]);
    });
  });

  it('a field is checked when it is left, and not before the buyer has come to it', async () => {
    await withPage(browser, PHONE, async (page) => {
      await page.goto(stories.origin + stories.tell({}));
      await page.locator('#number').focus();
      await page.locator('#expiry').focus();
      await page.keyboard.type('13');
      expect(await page.locator('.problem:visible').count()).toBe(0);
      await page.keyboard.type('28');
      await page.locator('#cvv').focus();
      expect(await page.locator('.problem:visible').allTextContents()).toEqual([ru.card.problems['expiry-month']]);
    });
  });

  it('the press that leaves a wrong field is a press: the button does not move away under it', async () => {
    await withPage(browser, PHONE, async (page) => {
      await page.goto(stories.origin + stories.tell({}));
      await type(page, { ...RIGHT, number: '' });
      await page.locator('#number').fill('4111 1111 1111 1112');
      await page.locator('button.primary').click();
      await page.locator('#number[aria-invalid=true]:focus').waitFor();
      expect(await page.locator('.problem:visible').count()).toBe(1);
    });
  });

  it('an expiry date is grouped while it is typed, in every spelling, and reads as on a card once it is left', async () => {
    const spellings = [
      ['0928', '09/28', '09/28'],
      ['928', '09/28', '09/28'],
      ['9/28', '09/28', '09/28'],
      ['09/28', '09/28', '09/28'],
      ['09 / 28', '09/28', '09/28'],
      ['09.28', '09/28', '09/28'],
      ['09-2028', '09/2028', '09/28'],
      ['092028', '09/2028', '09/28'],
      ['2028-09', '2028-09', '09/28'],
      ['202809', '202809', '09/28'],
      ['1/28', '01/28', '01/28'],
      ['12', '12/', '12/'],
      ['2', '2', '2'],
    ] as const;
    await withPage(browser, PHONE, async (page) => {
      await page.goto(stories.origin + stories.tell({}));
      const expiry = page.locator('#expiry');
      const read: (readonly string[])[] = [];
      for (const [keys] of spellings) {
        await expiry.fill('');
        await expiry.pressSequentially(keys);
        const typed = await expiry.inputValue();
        await expiry.blur();
        read.push([keys, typed, await expiry.inputValue()]);
      }
      expect(read).toEqual(spellings);
    });
  });

  it('the slash can be taken away again', async () => {
    await withPage(browser, PHONE, async (page) => {
      await page.goto(stories.origin + stories.tell({}));
      await page.locator('#expiry').pressSequentially('12');
      await page.keyboard.press('Backspace');
      await page.keyboard.press('Backspace');
      expect(await page.locator('#expiry').inputValue()).toBe('1');
    });
  });
});

describe('what is no mistake', () => {
  const NUMBERS = [
    '4111-1111-1111-1111',
    '4111\u00a01111\u00a01111\u00a01111',
    '\t4111111111111111\n',
    '４１１１ １１１１ １１１１ １１１１',
    '4111\u200b111111111111',
  ] as const;
  // Browsers that fill a form in write a date as the field's autocomplete promises, or as it is in their settings.
  const DATES = ['12/2030', '2030-12', '12 / 30', '12\u201330'] as const;

  it.each([
    ...NUMBERS.map((number) => ({ ...RIGHT, number })),
    ...DATES.map((expiry) => ({ ...RIGHT, expiry })),
    { ...RIGHT, cvv: ' 739 ' },
  ])('%j, pasted or filled in, pays at the first press', async (card) => {
    await withPage(browser, PHONE, async (page) => {
      await stay(page);
      const path = stories.tell({});
      await page.goto(stories.origin + path);
      await type(page, card);
      await pay(page);
      await paid(page);
      expect(stories.cardsTaken(path)).toBe(1);
    });
  });

  it('a reload in the middle: the fields are empty, nothing was sent, and the next press pays', async () => {
    await withPage(browser, PHONE, async (page) => {
      await stay(page);
      const path = stories.tell({});
      await page.goto(stories.origin + path);
      await type(page, RIGHT);
      await page.reload();
      expect([await valuesOf(page), stories.cardsTaken(path)]).toEqual([{ number: '', expiry: '', cvv: '' }, 0]);
      await type(page, RIGHT);
      await pay(page);
      await paid(page);
      expect(stories.cardsTaken(path)).toBe(1);
    });
  });

  it.each([true, false])('a session that ended meanwhile: says so, and that no money was taken (script: %s)', async (javaScript) => {
    await withPage(browser, { ...PHONE, javaScript }, async (page) => {
      const path = stories.tell({});
      await page.goto(stories.origin + path);
      await type(page, RIGHT);
      stories.change(path, { status: 'EXPIRED', failureCode: 'SESSION_EXPIRED' });
      await pay(page);
      await page.getByRole('heading', { name: ru.expired.title }).waitFor();
      expect(await page.locator('main').textContent()).toContain(ru.noMoneyTaken);
      expect([stories.cardsTaken(path), await page.locator('input').count()]).toEqual([0, 0]);
    });
  });

  it.each([true, false])(
    'the bank’s page is closed: the link leads there again, and the card goes once (script: %s)',
    async (javaScript) => {
      const context = await visit(browser, { ...PHONE, javaScript });
      const page = await context.newPage();
      const path = stories.tell({});
      await page.goto(stories.origin + path);
      await type(page, { ...RIGHT, number: '4000 0038 0000 0446' });
      await pay(page);
      await page.getByRole('heading', { name: 'Bank' }).waitFor();
      await page.close();
      const again = await context.newPage();
      await stay(again);
      await again.goto(stories.origin + path);
      await again.getByRole('link', { name: 'Approve' }).click();
      await paid(again);
      expect(stories.cardsTaken(path)).toBe(1);
      await context.close();
    },
  );
});

it('without the script a right expiry date stays, number and code do not, the page says why, and the first wrong field is in view', async () => {
  await withPage(browser, { ...PHONE, javaScript: false }, async (page) => {
    const path = stories.tell({});
    await page.goto(stories.origin + path);
    await type(page, { ...RIGHT, number: '4111 1111 1111 1112' });
    await pay(page);
    await page.locator('#number:focus').waitFor();
    expect(await valuesOf(page)).toEqual({ number: '', expiry: '12/30', cvv: '' });
    expect(await page.locator('.alert:visible').textContent()).toContain(ru.card.emptied);
    expect([await isInView(page, '#number-problem'), await isInView(page, '#number')]).toEqual([true, true]);
    expect(await page.locator('[data-card-form]').innerHTML()).not.toMatch(/4111|739/);
    await page.locator('.alert a', { hasText: ru.card.problems['number-mistyped'] }).click();
    await page.locator('#number:focus').waitFor();
    await page.locator('#number').fill(RIGHT.number);
    await page.locator('#cvv').fill(RIGHT.cvv);
    await pay(page);
    await paid(page);
    expect(stories.cardsTaken(path)).toBe(1);
  });
});

describe('a connection that fails', () => {
  it('offline: the page says so, keeps what was typed, and the next press pays', async () => {
    const context = await visit(browser, PHONE);
    const page = await context.newPage();
    await stay(page);
    const path = stories.tell({});
    await page.goto(stories.origin + path);
    await type(page, RIGHT);
    await context.setOffline(true);
    await pay(page);
    await trouble(page).getByText(ru.card.noAnswer.advice).waitFor();
    expect([await isInView(page, '[data-trouble]'), await valuesOf(page)]).toEqual([true, RIGHT]);
    await context.setOffline(false);
    await pay(page);
    await paid(page);
    expect(stories.cardsTaken(path)).toBe(1);
    await context.close();
  });

  it('an answer that was lost is looked up: the buyer comes to the paid page, and the card went once', async () => {
    const context = await visit(browser, PHONE);
    const page = await context.newPage();
    await stay(page);
    const path = stories.tell({});
    await page.route('**/card', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.goto(stories.origin + path);
    await type(page, RIGHT);
    await pay(page);
    await paid(page);
    expect(stories.cardsTaken(path)).toBe(1);
    await context.close();
  });

  it('no answer within a minute: the payment is looked up, and the buyer comes to the paid page', async () => {
    const context = await visit(browser, PHONE);
    const page = await context.newPage();
    await stay(page);
    const path = stories.tell({});
    await page.clock.install();
    const taken = Promise.withResolvers<undefined>();
    await page.route('**/card', async (route) => {
      await route.fetch();
      taken.resolve(undefined);
    });
    let lookUps = 0;
    await page.route('**/state', async (route) => {
      lookUps += 1;
      await route.continue();
    });
    await page.goto(stories.origin + path);
    await type(page, RIGHT);
    await pay(page);
    await taken.promise;
    await page.clock.runFor(30_000);
    await page.getByText(ru.card.slow).waitFor();
    expect(lookUps).toBe(0);
    await page.clock.runFor(30_100);
    await paid(page);
    expect([lookUps, stories.cardsTaken(path)]).toEqual([1, 1]);
    await context.close();
  });

  it.each(['fails', 'has no answer within ten seconds'] as const)(
    'an answer was lost and the look-up %s: the page says that it does not know, and the next press takes no second card',
    async (how) => {
      const context = await visit(browser, PHONE);
      const page = await context.newPage();
      await stay(page);
      const path = stories.tell({});
      await page.clock.install();
      await page.route('**/card', async (route) => {
        await route.fetch();
        await route.abort();
      });
      const lookedUp = Promise.withResolvers<undefined>();
      await page.route('**/state', async (route) => {
        if (how === 'fails') await route.abort();
        lookedUp.resolve(undefined);
      });
      await page.goto(stories.origin + path);
      await type(page, RIGHT);
      await pay(page);
      await lookedUp.promise;
      if (how !== 'fails') await page.clock.runFor(10_100);
      await trouble(page).waitFor();
      expect(await trouble(page).textContent()).toBe(`${ru.card.unknown.what}. ${ru.card.unknown.advice}`);
      expect([await isInView(page, '[data-trouble]'), await valuesOf(page)]).toEqual([true, RIGHT]);
      await keepScreenshot(page, 'form-unknown-phone');
      await page.unroute('**/card');
      await pay(page);
      await paid(page);
      expect(stories.cardsTaken(path)).toBe(1);
      await context.close();
    },
  );

  it('429: the page says what the server says, and keeps what was typed', async () => {
    // Asking about the card beforehand takes the one question.
    const limited = await startStories({ bankAsks: 1 });
    const context = await visit(browser, PHONE);
    const page = await context.newPage();
    const path = limited.tell({});
    await page.goto(limited.origin + path);
    await type(page, RIGHT);
    await pay(page);
    await trouble(page).waitFor();
    expect(await trouble(page).textContent()).toBe(`${ru.tooMany.what} ${ru.tooMany.advice}`);
    expect([await valuesOf(page), limited.cardsTaken(path)]).toEqual([RIGHT, 0]);
    await context.close();
    await limited.stop();
  });

  it.each(['held-back', 'route-unavailable'] as const)('%s: the page says so and keeps what was typed', async (kind) => {
    const context = await visit(browser, PHONE);
    const page = await context.newPage();
    const path = stories.tell({});
    await page.goto(stories.origin + path);
    await type(page, RIGHT);
    stories.holdBack(kind === 'held-back');
    stories.setRoute(kind !== 'route-unavailable');
    await pay(page);
    await trouble(page)
      .getByText(ru.card[kind === 'held-back' ? 'heldBack' : 'routeUnavailable'].advice)
      .waitFor();
    stories.holdBack(false);
    stories.setRoute(true);
    expect(await valuesOf(page)).toEqual(RIGHT);
    await context.close();
  });

  it('slow: after ten seconds the page says that the bank takes longer, and another press sends nothing', async () => {
    await withPage(browser, PHONE, async (page) => {
      await stay(page);
      const path = stories.tell({});
      await page.clock.install();
      await page.goto(stories.origin + path);
      const [asked, answered] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
      await page.route('**/card', async (route) => {
        asked.resolve(undefined);
        await answered.promise;
        await route.continue();
      });
      await type(page, RIGHT);
      await pay(page);
      await asked.promise;
      expect(await page.getByText(ru.card.slow).count()).toBe(0);
      await page.clock.runFor(10_100);
      await page.getByText(ru.card.slow).waitFor();
      await keepScreenshot(page, 'form-slow-phone');
      await page.locator('button.primary').click();
      answered.resolve(undefined);
      await paid(page);
      expect([stories.cardsPrepared(path), stories.cardsTaken(path)]).toEqual([1, 1]);
    });
  });
});

it.each(['AbortSignal.timeout', 'window.AbortController', 'window.FormData'])(
  'a browser without %s pays, and the card goes once',
  async (missing) => {
    await withPage(browser, PHONE, async (page) => {
      await stay(page);
      await page.addInitScript(`delete ${missing}`);
      const path = stories.tell({});
      await page.goto(stories.origin + path);
      await type(page, RIGHT);
      await pay(page);
      await paid(page);
      expect(stories.cardsTaken(path)).toBe(1);
    });
  },
);

const ONE_DECLINED = { ordersLeft: 1, declined: { failureCode: 'INSUFFICIENT_FUNDS', isLastAttempt: false } } as const;

describe('another card, after the bank declined one', () => {
  it.each([true, false])('the page says why and takes the next one, to the last attempt; script: %s', async (javaScript) => {
    await withPage(browser, { ...PHONE, javaScript }, async (page) => {
      await stay(page);
      const path = stories.tell(ONE_DECLINED);
      await page.goto(stories.origin + path);
      const alert = page.getByRole('alert').filter({ visible: true });
      await alert.getByText(ru.failures.INSUFFICIENT_FUNDS.what).waitFor();
      await type(page, { ...RIGHT, number: '4000 0000 0000 9995' });
      await pay(page);
      await alert.getByText(ru.card.nextCard.last).waitFor();
      expect(await page.title()).toMatch(`${ru.card.errorPrefix}: `);
      expect(await valuesOf(page)).toEqual({ number: '', expiry: '', cvv: '' });
      await type(page, RIGHT);
      await pay(page);
      await paid(page);
      expect(stories.cardsTaken(path)).toBe(2);
    });
  });

  it('an answer that was lost: a card that was declined is not called unsent, and no second tab sends one for it', async () => {
    const context = await visit(browser, PHONE);
    const page = await context.newPage();
    const path = stories.tell(ONE_DECLINED);
    await page.route('**/card', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.goto(stories.origin + path);
    const tab = await context.newPage();
    await tab.goto(stories.origin + path);
    await type(page, { ...RIGHT, number: '4000 0000 0000 9995' });
    await pay(page);
    await page.getByText(ru.card.nextCard.last).waitFor();
    await type(tab, RIGHT);
    await pay(tab);
    await tab.getByText(ru.card.nextCard.last).waitFor();
    expect(stories.cardsTaken(path)).toBe(1);
    await context.close();
  });
});

it.each(['TEST', 'LIVE'] as const)('every button that pays is in view on a phone, in %s', async (environment) => {
  for (const language of ['ru', 'en'] as const) {
    await withPage(browser, { ...PHONE, language }, async (page) => {
      const description = 'Подписка на журнал «Наука и жизнь», 3 месяца, с доставкой';
      for (const state of [
        {},
        { offersSbp: true },
        { ordersLeft: 1, declined: { failureCode: 'INVALID_CARD_DETAILS', isLastAttempt: true } },
      ] as const) {
        const path = stories.tell({ environment, description, ...state });
        await page.goto(stories.origin + path);
        const buttons = await page.locator('.sheet').locator('button.primary, .way button').all();
        expect(buttons).toHaveLength('offersSbp' in state ? 2 : 1);
        for (const button of buttons) {
          const box = await button.boundingBox();
          expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(SCREENS.phone.height);
        }
      }
    });
  }
});
