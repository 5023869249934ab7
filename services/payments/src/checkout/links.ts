import type { LanguageChoice } from './language.ts';

/** A path of ours with the buyer's choice of language, where there is one, and what else it has to carry. */
export function link(path: string, { language, isChosen }: LanguageChoice): string {
  return isChosen ? `${path}?lang=${language}` : path;
}

/** The pages of one payment. */
export const paths = {
  payment: (formToken: string) => `/pay/${formToken}`,
  /** Like `payment`, for the buyer who has just paid: "paid" instead of "already paid". */
  result: (formToken: string) => `/pay/${formToken}/result`,
  /** Asks the bank how it went; the bank's page leads here. */
  return: (formToken: string) => `/pay/${formToken}/return`,
  /** Like `result`, for the buyer who was at the bank: never sends him there again by itself. */
  returned: (formToken: string) => `/pay/${formToken}/returned`,
  /** Asks whether the card may be saved, or asks anew; takes the answer. */
  consent: (formToken: string) => `/pay/${formToken}/consent`,
  /** The full text of what is asked. */
  consentText: (formToken: string) => `/pay/${formToken}/consent/text`,
  card: (formToken: string) => `/pay/${formToken}/card`,
  /** Asks what the bank says of a card before it is sent. */
  prepare: (formToken: string) => `/pay/${formToken}/card/prepare`,
  /** The hidden frame that takes the browser to the issuer's 3DS Method, and where the issuer sends it back. */
  method: (formToken: string) => `/pay/${formToken}/method`,
  methodDone: (formToken: string) => `/pay/${formToken}/method/done`,
  cancel: (formToken: string) => `/pay/${formToken}/cancel`,
  state: (formToken: string) => `/pay/${formToken}/state`,
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
