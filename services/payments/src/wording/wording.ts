import type { Language } from './language.ts';

const LOCALES = { ru: 'ru-RU', en: 'en-GB' } as const satisfies Record<Language, string>;

/** The zone of displayed times: buyers pay in rubles, and the server cannot know where they are. */
const TIME_ZONE = 'Europe/Moscow';

/** One formatter per language, created once: creating one costs more than the rest of a page. */
function perLanguage<T>(make: (locale: string) => T): Readonly<Record<Language, T>> {
  return { ru: make(LOCALES.ru), en: make(LOCALES.en) };
}
const moments = (options: Intl.DateTimeFormatOptions) =>
  perLanguage((locale) => new Intl.DateTimeFormat(locale, { timeZone: TIME_ZONE, ...options }));

const RUBLES = perLanguage(
  (locale) =>
    new Intl.NumberFormat(locale, {
      style: 'currency',
      currency: 'RUB',
      currencyDisplay: 'narrowSymbol',
      minimumFractionDigits: 2,
    }),
);
const CALENDAR_DAY = new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE });
const TIME = moments({ hour: '2-digit', minute: '2-digit' });
const DAY_AND_TIME = moments({ hour: '2-digit', minute: '2-digit', day: 'numeric', month: 'long' });
const DATE_AND_TIME = moments({ dateStyle: 'long', timeStyle: 'short' });

/**
 * An amount for people: `1 250,00 ₽`, `₽1,250.00`. Rubles and kopecks stay whole numbers: the rubles are
 * formatted as currency, and the fraction is filled in with the digits of the kopecks.
 */
export function formatAmount(amountKopecks: bigint, language: Language): string {
  const kopecks = (amountKopecks % 100n).toString().padStart(2, '0');
  return RUBLES[language]
    .formatToParts(amountKopecks / 100n)
    .map((part) => (part.type === 'fraction' ? kopecks : part.value))
    .join('');
}

/** A Moscow time: `14:35`, with the date if it is not the day of `now`. */
export function formatTime(moment: Date, now: Date, language: Language): string {
  const isSameDay = CALENDAR_DAY.format(moment) === CALENDAR_DAY.format(now);
  return (isSameDay ? TIME : DAY_AND_TIME)[language].format(moment);
}

/** A Moscow time with its full date: `21 ноября 2026 г. в 14:35`. */
export function formatMoment(moment: Date, language: Language): string {
  return DATE_AND_TIME[language].format(moment);
}

/** A card number in groups of four, as cards are printed. */
export function formatCardNumber(digits: string): string {
  return digits.replace(/(.{4})(?=.)/g, '$1 ');
}
