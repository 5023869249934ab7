import type { LanguageChoice } from './language.ts';

/** One of our paths with the buyer's choice of language, if any, and further parameters. */
export function link(path: string, { language, isChosen }: LanguageChoice): string {
  return isChosen ? `${path}?lang=${language}` : path;
}

/** The pages of one payment. */
export const paths = {
  payment: (checkoutToken: string) => `/pay/${checkoutToken}`,
  /** Like `payment`, for the buyer who has just paid: "paid" instead of "already paid". */
  result: (checkoutToken: string) => `/pay/${checkoutToken}/result`,
  /** Asks the bank for the result; the bank's page leads here. */
  return: (checkoutToken: string) => `/pay/${checkoutToken}/return`,
  /** Like `result`, for a buyer who is back from the bank: never sends them there again automatically. */
  returned: (checkoutToken: string) => `/pay/${checkoutToken}/returned`,
  /** Asks whether the card may be saved, first or again; takes the answer. */
  consent: (checkoutToken: string) => `/pay/${checkoutToken}/consent`,
  /** The full text of the consent. */
  consentText: (checkoutToken: string) => `/pay/${checkoutToken}/consent/text`,
  card: (checkoutToken: string) => `/pay/${checkoutToken}/card`,
  /** Asks the bank about a card before it is sent. */
  prepare: (checkoutToken: string) => `/pay/${checkoutToken}/card/prepare`,
  /** The hidden frame that takes the browser to the issuer's 3DS Method, and where the issuer sends it back. */
  method: (checkoutToken: string) => `/pay/${checkoutToken}/method`,
  methodDone: (checkoutToken: string) => `/pay/${checkoutToken}/method/done`,
  /** Takes the other way to pay. */
  way: (checkoutToken: string) => `/pay/${checkoutToken}/way`,
  cancel: (checkoutToken: string) => `/pay/${checkoutToken}/cancel`,
  state: (checkoutToken: string) => `/pay/${checkoutToken}/state`,
} as const;

/** The pages of one saved card. */
export const savedCardPaths = {
  card: (savedCardLink: string) => `/saved-card/${savedCardLink}`,
  revoke: (savedCardLink: string) => `/saved-card/${savedCardLink}/revoke`,
} as const;

/** An external address that a page may link to: http or https, nothing that could run as a script. */
export function webAddress(url: string | undefined): string | undefined {
  const parsed = url === undefined ? null : URL.parse(url);
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined;
}
