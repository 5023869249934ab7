import type { Language } from '../../wording/language.ts';

/** The texts of the payment confirmation by e-mail on the paid page. What the letter says: `letters/letter.ts`. */
type LetterTexts = {
  readonly label: string;
  readonly hint: string;
  readonly send: string;
  readonly asked: string;
  readonly another: string;
  /** The address is wrong. */
  readonly address: string;
  readonly tooMany: string;
};

export const LETTER_TEXTS: Readonly<Record<Language, LetterTexts>> = {
  ru: {
    label: 'Подтверждение оплаты на\u00a0e\u2011mail',
    hint: 'Необязательно. В\u00a0письме будут магазин, сумма и\u00a0номер заказа. Это не\u00a0кассовый чек. После отправки мы удалим адрес.',
    send: 'Отправить письмо',
    asked: 'Подтверждение придёт на\u00a0указанный e\u2011mail в\u00a0течение нескольких минут.',
    another: 'Отправить на\u00a0другой адрес',
    address: 'Проверьте адрес. Пример: anna@example.ru',
    tooMany: 'На\u00a0этот адрес или по\u00a0этой оплате уже запросили слишком много писем',
  },
  en: {
    label: 'Payment confirmation by email',
    hint: 'Optional. The email names the shop, the amount and the order. It is not a fiscal receipt. We delete the address once the email is sent.',
    send: 'Send email',
    asked: 'The confirmation will arrive within a few minutes.',
    another: 'Send to another address',
    address: 'Check the address. Example: anna@example.com',
    tooMany: 'Too many emails requested for this address or payment',
  },
};
