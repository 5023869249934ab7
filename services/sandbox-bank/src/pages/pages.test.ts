import { describe, expect, it } from '@jest/globals';
import { render } from 'preact-render-to-string';
import type { Operation } from '../domain/operation.ts';
import { confirmationPage, sbpButtons, threeDsButtons } from './confirmation.ts';
import { errorPage } from './error.ts';
import { operationPage, operationsPage } from './operations.ts';
import { resultPage } from './result.ts';
import { LANGUAGES, WORDS } from './words.ts';

const HOSTILE = `"><script>alert(1)</script>'&<img src=x onerror=alert(1)>`;
const MOMENT = new Date('2026-11-21T12:00:00.000Z');
const operation: Operation = {
  operationId: '00000000-0000-4000-8000-000000000001',
  bankOperationId: 'b0',
  kind: 'ORDER',
  method: 'CARD',
  status: 'PENDING',
  reason: null,
  amountKopecks: 123_456_789n,
  currency: 'RUB',
  description: HOSTILE,
  returnUrl: `https://shop.test/back?a=1&b=${HOSTILE}`,
  expiresAt: MOMENT,
  approvesAt: null,
  originalOperationId: null,
  cardMask: '220070******0009',
  cardExpiry: '2028-09',
  cardToken: 'never-shown-token',
  threeDsId: 'never-shown-id',
  threeDsVersion: '2.2.0',
  transStatus: 'C',
  eci: null,
  threeDsServerTransId: null,
  dsTransId: null,
  acsTransId: null,
  threeDsMethodRan: false,
  unansweredReads: 0,
  requestSha256: '',
  createdAt: MOMENT,
  updatedAt: MOMENT,
};

describe.each(LANGUAGES)('pages in %s', (language) => {
  const words = WORDS[language];
  const pages = {
    threeDs: render(confirmationPage(words, '/3ds/x', operation, threeDsButtons(words))),
    sbp: render(confirmationPage(words, '/sbp/x', operation, sbpButtons(words))),
    result: render(resultPage(words, '/3ds/x/result', operation)),
    list: render(
      operationsPage(words, {
        operations: [operation],
        filter: { id: HOSTILE, status: undefined },
        older: HOSTILE,
        isFirstPage: false,
      }),
    ),
    details: render(
      operationPage(words, {
        operation,
        history: [{ event: 'MOVED', detail: HOSTILE, at: MOMENT }],
        counters: { requests: {}, moneyMoved: 0, answersWithheld: 0 },
      }),
    ),
    error: render(errorPage(words, 'notFound')),
  };

  it.each(Object.entries(pages))('%s: what a merchant sent never becomes markup', (_name, markup) => {
    expect(markup).not.toMatch(/<script|<img/);
  });

  it.each(Object.entries(pages))('%s: says its language and that it is a test, has one h1 and no script', (_name, markup) => {
    expect(markup).toContain(`<html lang="${language}">`);
    expect(markup).toContain(words.banner);
    expect(markup.match(/<h1>/g)).toHaveLength(1);
    expect(markup).not.toContain('<script');
    expect(markup).not.toMatch(/\son[a-z]+="|style="/);
  });

  it('the amount is written as people of this language write it, to the kopeck', () => {
    const digits = pages.threeDs.replace(/[^\d.,]/g, '');
    expect(digits).toContain(language === 'ru' ? '1234567,89' : '1,234,567.89');
  });

  it('the way back keeps its parameters and is escaped', () => {
    expect(pages.result).toContain('content="0; url=https://shop.test/back?a=1&amp;b=');
    expect(pages.result).toContain('href="https://shop.test/back?a=1&amp;b=');
  });

  it.each(Object.entries(pages))('%s: neither token nor page id is shown', (_name, markup) => {
    expect(markup).not.toContain('never-shown');
  });
});
