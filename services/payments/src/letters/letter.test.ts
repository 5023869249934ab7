import { expect, it } from '@jest/globals';
import type { LetterToSend } from '../use-cases/letter/send-letters.ts';
import { composeLetter } from './letter.ts';

const LETTER: LetterToSend = {
  letterId: '0b1f7b1e-6c39-4c7e-9a3a-2f6f6f9a7c11',
  address: 'anna@shop.example',
  language: 'ru',
  environment: 'LIVE',
  storeName: 'Книжный магазин «Тихая гавань»',
  merchantOrderId: 'ORDER-2026-004217',
  amountKopecks: 125_000n,
  cardMask: '220070******0009',
  paidAt: new Date('2026-11-21T22:35:00.000Z'),
  askedAt: new Date('2026-11-21T22:36:00.000Z'),
};

it('names shop, amount, order, last four digits and Moscow time in Russian, and says what it is not', () => {
  const { subject, text } = composeLetter(LETTER);
  expect(subject).toBe('Подтверждение оплаты: Книжный магазин «Тихая гавань», 1\u00a0250,00\u00a0₽');
  expect(text.split('\n')).toEqual([
    'Банк подтвердил оплату.',
    '',
    'Магазин: Книжный магазин «Тихая гавань»',
    'Сумма: 1\u00a0250,00\u00a0₽',
    'Номер заказа: ORDER-2026-004217',
    'Карта: •• 0009',
    'Дата: 22 ноября 2026 г. в 01:35 по московскому времени',
    '',
    expect.stringContaining('а не кассовый чек'),
    '',
    expect.stringContaining('обращайтесь в магазин'),
    '',
    expect.stringContaining('не храним этот адрес'),
  ]);
});

it('says the same in English', () => {
  const { subject, text } = composeLetter({ ...LETTER, language: 'en' });
  expect(subject).toBe('Payment confirmation: Книжный магазин «Тихая гавань», ₽1,250.00');
  expect(text).toContain('Order number: ORDER-2026-004217\nCard: •• 0009\nDate: 22 November 2026 at 01:35 Moscow time');
  expect(text).toContain('It is not a fiscal receipt');
});

it('has no line for the card and the order of a QR payment', () => {
  const { text } = composeLetter({ ...LETTER, merchantOrderId: '', cardMask: null });
  expect(text).not.toMatch(/Номер заказа|Карта/);
});

it.each(['casino.example', 'www.shop.example:8080', 'a.B'])(
  'no line for %s, which a mailbox would make a link of',
  (merchantOrderId) => {
    const { text, html } = composeLetter({ ...LETTER, merchantOrderId });
    expect(text + html).not.toContain(merchantOrderId);
  },
);

it.each(['2026.11.24-17', 'order:17', '17.'])('a line for %s', (merchantOrderId) => {
  expect(composeLetter({ ...LETTER, merchantOrderId }).text).toContain(`\nНомер заказа: ${merchantOrderId}\n`);
});

it('says TEST first where no money moves', () => {
  const { subject, text, html } = composeLetter({ ...LETTER, environment: 'TEST' });
  expect(subject).toMatch(/^\[TEST\] /);
  expect(text).toMatch(/^Тестовый режим: деньги не списывались\./);
  expect(html).toContain('Тестовый режим');
});

it('a name cannot become markup, and a long number in an order is masked', () => {
  const { html, text } = composeLetter({
    ...LETTER,
    storeName: '<b>"Tea" & co</b>',
    merchantOrderId: '4111111111111111',
  });
  expect(html).toContain('&lt;b>&quot;Tea&quot; &amp; co&lt;/b>');
  expect(html).not.toContain('<b>');
  expect(html + text).not.toContain('4111111111111111');
});
