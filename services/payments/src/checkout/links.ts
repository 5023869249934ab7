import type { LanguageChoice } from './language.ts';

/** A path of ours with the buyer's choice of language, where there is one, and what else it has to carry. */
export function link(path: string, { language, isChosen }: LanguageChoice): string {
  return isChosen ? `${path}?lang=${language}` : path;
}

/** The pages of one payment. */
export const paths = {
  payment: (checkoutToken: string) => `/pay/${checkoutToken}`,
  /** Like `payment`, for the buyer who has just paid: "paid" instead of "already paid". */
  result: (checkoutToken: string) => `/pay/${checkoutToken}/result`,
  /** Asks the bank how it went; the bank's page leads here. */
  return: (checkoutToken: string) => `/pay/${checkoutToken}/return`,
  /** Like `result`, for the buyer who was at the bank: never sends him there again by itself. */
  returned: (checkoutToken: string) => `/pay/${checkoutToken}/returned`,
  /** Asks whether the card may be saved, or asks anew; takes the answer. */
  consent: (checkoutToken: string) => `/pay/${checkoutToken}/consent`,
  /** The full text of what is asked. */
  consentText: (checkoutToken: string) => `/pay/${checkoutToken}/consent/text`,
  card: (checkoutToken: string) => `/pay/${checkoutToken}/card`,
  /** Asks what the bank says of a card before it is sent. */
  prepare: (checkoutToken: string) => `/pay/${checkoutToken}/card/prepare`,
  /** The hidden frame that takes the browser to the issuer's 3DS Method, and where the issuer sends it back. */
  method: (checkoutToken: string) => `/pay/${checkoutToken}/method`,
  methodDone: (checkoutToken: string) => `/pay/${checkoutToken}/method/done`,
  cancel: (checkoutToken: string) => `/pay/${checkoutToken}/cancel`,
  state: (checkoutToken: string) => `/pay/${checkoutToken}/state`,
} as const;

/** The pages of one saved card. */
export const savedCardPaths = {
  card: (savedCardLink: string) => `/saved-card/${savedCardLink}`,
  revoke: (savedCardLink: string) => `/saved-card/${savedCardLink}/revoke`,
} as const;

/** An address somewhere else that a page may link to: http and https, nothing that could run as a script. */
export function webAddress(url: string | undefined): string | undefined {
  const parsed = url === undefined ? null : URL.parse(url);
  return parsed !== null && /^https?:$/.test(parsed.protocol) ? parsed.href : undefined;
}
