import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { maskedDigits } from '@pay/shared/content/masked-digits.ts';
import { formatAmount, formatMoment } from '../wording/wording.ts';
import type { Language } from '../wording/language.ts';
import type { LetterToSend } from '../use-cases/letter/send-letters.ts';

type Words = {
  readonly subject: string;
  readonly test: string;
  readonly confirmed: string;
  readonly shop: string;
  readonly amount: string;
  readonly order: string;
  readonly card: string;
  readonly paidAt: string;
  readonly zone: string;
  readonly notFiscal: string;
  readonly questions: string;
  readonly why: string;
};

const WORDS: Readonly<Record<Language, Words>> = {
  ru: {
    subject: 'Подтверждение оплаты',
    test: 'Тестовый режим: деньги не списывались.',
    confirmed: 'Банк подтвердил оплату.',
    shop: 'Магазин',
    amount: 'Сумма',
    order: 'Номер заказа',
    card: 'Карта',
    paidAt: 'Дата',
    zone: 'по московскому времени',
    notFiscal: 'Это подтверждение оплаты, а не кассовый чек. Кассовый чек присылает магазин.',
    questions: 'С вопросами о заказе обращайтесь в магазин. Отвечать на это письмо не нужно.',
    why: 'Ваш адрес указали на странице оплаты. Если это были не вы, просто удалите письмо: мы больше не храним этот адрес.',
  },
  en: {
    subject: 'Payment confirmation',
    test: 'Test mode: no money was taken.',
    confirmed: 'The bank has confirmed the payment.',
    shop: 'Shop',
    amount: 'Amount',
    order: 'Order number',
    card: 'Card',
    paidAt: 'Date',
    zone: 'Moscow time',
    notFiscal: 'This confirms the payment. It is not a fiscal receipt: the shop sends that one.',
    questions: 'If you have questions about the order, contact the shop. Please don’t reply to this email.',
    why: 'Your address was entered on the payment page. If that wasn’t you, just delete this email: we no longer store the address.',
  },
};

/** Of what an order number may be: what a mailbox would make a link of, like `shop.example`, could be an advertisement. */
const isPlainNumber = (orderId: string) => orderId !== '' && !/\.[a-z]/i.test(orderId);

/** The subject and both forms of a payment confirmation. It has nothing that the shop wrote about the order: that could be anything. */
export function composeLetter(letter: LetterToSend): {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
} {
  const { language, environment, storeName, amountKopecks, merchantOrderId, cardMask, paidAt } = letter;
  const words = WORDS[language];
  const amount = formatAmount(amountKopecks, language);
  const rows: readonly (readonly [string, string])[] = [
    [words.shop, storeName],
    [words.amount, amount],
    ...(isPlainNumber(merchantOrderId) ? [[words.order, maskedDigits(merchantOrderId)] as const] : []),
    ...(cardMask === null ? [] : [[words.card, `•• ${cardMask.slice(-4)}`] as const]),
    [words.paidAt, `${formatMoment(paidAt, language)} ${words.zone}`],
  ];
  const opening = environment === 'TEST' ? [words.test, words.confirmed] : [words.confirmed];
  const closing = [words.notFiscal, words.questions, words.why];
  return {
    subject: `${environment === 'TEST' ? '[TEST] ' : ''}${words.subject}: ${storeName}, ${amount}`,
    text: [...opening, rows.map(([name, value]) => `${name}: ${value}`).join('\n'), ...closing].join('\n\n'),
    html: renderHtml(language, opening, rows, closing),
  };
}

type Lines = readonly string[];

/** Every text is escaped, so a shop's name cannot become a tag. */
function renderHtml(
  language: Language,
  opening: Lines,
  rows: readonly (readonly [string, string])[],
  closing: Lines,
): string {
  const paragraphs = (lines: Lines) => lines.map((line) => h('p', null, line));
  const table = rows.map(([name, value]) =>
    h('tr', null, h('td', { style: 'color:#56615d' }, name), h('td', null, value)),
  );
  const body = h(
    'body',
    { style: 'font:16px/1.5 sans-serif' },
    paragraphs(opening),
    h('table', { cellPadding: 4 }, table),
    paragraphs(closing),
  );
  return `<!doctype html>${renderToString(h('html', { lang: language }, body))}`;
}
