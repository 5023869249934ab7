import type { Language } from '../../wording/language.ts';
import type { WayToPay } from '../../domain/payment/sbp-order.ts';
import type { Failure } from './texts.ts';

/** The texts of a page that takes a card or SBP: the buttons, and why the other way cannot be chosen now. */
type WayTexts = Readonly<Record<WayToPay, string>> & {
  readonly unavailable: Failure;
  /** The code could not be withdrawn, so the card cannot be chosen. */
  readonly notWithdrawn: string;
};

export const WAY_TEXTS: Readonly<Record<Language, WayTexts>> = {
  ru: {
    CARD: 'Оплатить картой',
    SBP: 'Оплатить через\u00a0СБП',
    unavailable: {
      what: 'Оплата по\u00a0СБП сейчас недоступна',
      advice: 'Оплатите картой или попробуйте ещё раз через минуту.',
    },
    notWithdrawn: 'Банк не\u00a0ответил, поэтому код ещё действует. Подождите минуту и\u00a0попробуйте ещё раз.',
  },
  en: {
    CARD: 'Pay by card',
    SBP: 'Pay with SBP (Russian banks)',
    unavailable: {
      what: 'SBP is not available at the moment',
      advice: 'Pay by card, or try again in a minute.',
    },
    notWithdrawn: 'The bank did not answer, so the code still works. Wait a minute and try again.',
  },
};
