import type { FailureCode } from '@pay/contract/messages.ts';
import type { CardField, CardProblem } from '../card-input.ts';
import type { Language } from '../../wording/language.ts';
import { en } from './en.ts';
import { ru } from './ru.ts';

/** What happened, and what the buyer can do now. */
export type Failure = { readonly what: string; readonly advice: string };

/** Every text of the checkout, once per language; a missing one does not compile. */
export type Texts = {
  readonly language: Language;
  /** The language's own name. */
  readonly languageName: string;
  readonly languageSwitch: string;
  readonly skipToContent: string;
  readonly securedBy: string;
  readonly test: {
    readonly title: string;
    readonly explanation: string;
    readonly cards: string;
    readonly cardsNote: string;
    readonly use: string;
  };
  readonly order: {
    readonly heading: string;
    readonly shop: string;
    readonly number: string;
    readonly purpose: string;
    readonly amount: string;
    readonly card: string;
  };
  readonly time: {
    /** Precedes a Moscow time. */
    readonly payBy: string;
    readonly zone: string;
    /** Precedes the remaining time, which the script counts down. */
    readonly left: string;
    readonly twoMinutesLeft: string;
    readonly over: string;
  };
  readonly card: {
    readonly title: string;
    readonly heading: string;
    readonly fields: Readonly<Record<CardField, string>>;
    readonly hints: Readonly<Record<CardField, string>>;
    readonly brands: string;
    /** Precedes the amount, on the button. */
    readonly pay: string;
    readonly paying: string;
    readonly problems: Readonly<Record<CardProblem, string>>;
    readonly problemsHeading: string;
    /** Why a page without the script has emptied number and code. */
    readonly emptied: string;
    /** The bank takes longer than usual. */
    readonly slow: string;
    /** The card was not taken. A payment takes one card, so a repeat is safe. */
    readonly noAnswer: Failure;
    /** The card may have been taken: there was no answer, and its state could not be looked up. */
    readonly unknown: Failure;
    readonly errorPrefix: string;
    readonly privacy: string;
    /** After a decline, while the buyer may try another card. */
    readonly nextCard: {
      readonly advice: string;
      /** Instead of `advice`, where the same card may do. */
      readonly adviceFor: Partial<Readonly<Record<FailureCode, string>>>;
      readonly last: string;
    };
    readonly routeUnavailable: Failure;
    readonly heldBack: Failure;
  };
  readonly qr: {
    readonly title: string;
    readonly heading: string;
    /** The button on a phone. */
    readonly openBank: string;
    readonly openBankHint: string;
    readonly otherDevice: string;
    readonly scan: string;
    /** Alternative text of the QR code: before the amount, and between amount and shop. */
    readonly picture: string;
    readonly to: string;
    readonly link: string;
    readonly openLink: string;
    readonly copy: string;
    readonly copied: string;
    readonly waiting: string;
    readonly check: string;
    /** After `check`, while the bank has no payment. */
    readonly notYet: string;
    readonly testHelp: string;
    readonly refunded: string;
    readonly unknown: Failure;
    /** Replacements where the texts for cards do not fit. */
    readonly failures: Partial<Readonly<Record<FailureCode, Failure>>>;
  };
  readonly consent: {
    readonly title: string;
    readonly lead: string;
    readonly optional: string;
    readonly fullText: string;
    readonly go: string;
    /** The text has changed since it was shown. */
    readonly changed: Failure;
    readonly back: string;
    readonly version: string;
    /** On the card page: precedes the period. */
    readonly given: string;
    readonly declined: string;
    readonly change: string;
  };
  readonly savedCard: {
    readonly title: string;
    readonly active: string;
    readonly nextCharge: string;
    readonly period: string;
    readonly expiry: string;
    readonly keepAddress: string;
    readonly revokeExplained: string;
    readonly revoke: string;
    readonly revoked: { readonly title: string; readonly what: string; readonly then: string };
    readonly expired: { readonly title: string; readonly what: string; readonly then: string };
    readonly notYet: { readonly title: string; readonly what: string; readonly check: string };
    readonly unavailable: { readonly title: string } & Failure;
    readonly unknown: { readonly title: string } & Failure;
    /** On the page after the payment. */
    readonly saved: string;
    /** Instead of the link, in a browser that did not send the card. */
    readonly elsewhere: string;
    readonly see: string;
  };
  readonly cancel: { readonly summary: string; readonly question: string; readonly confirm: string };
  readonly bank: { readonly title: string; readonly what: string; readonly then: string; readonly go: string };
  readonly preparing: { readonly title: string; readonly what: string };
  readonly waiting: {
    readonly title: string;
    readonly what: string;
    readonly safeToClose: string;
    readonly auto: string;
    readonly check: string;
  };
  readonly paid: {
    readonly title: string;
    readonly what: string;
    readonly already: string;
    readonly alreadyWhat: string;
    readonly confirmation: string;
    /** Precedes the seconds left until the buyer is taken back to the shop. */
    readonly leaving: string;
    readonly seconds: string;
    readonly stay: string;
  };
  readonly refunded: { readonly title: string; readonly what: string };
  readonly declined: { readonly title: string; readonly unknown: Failure };
  readonly cancelled: { readonly title: string };
  readonly expired: { readonly title: string };
  /** The shop may not take payments at the moment. */
  readonly held: { readonly title: string } & Failure;
  readonly noMoneyTaken: string;
  readonly failures: Readonly<Record<FailureCode, Failure>>;
  readonly backToShop: string;
  readonly closeThisPage: string;
  readonly notFound: { readonly title: string } & Failure;
  readonly notFromOurPage: { readonly title: string } & Failure;
  readonly unreadable: { readonly title: string } & Failure;
  readonly tooMany: { readonly title: string } & Failure;
  readonly trouble: { readonly title: string } & Failure;
  readonly reference: string;
};

/** The texts by language. */
export const TEXTS = { ru, en } as const satisfies Record<Language, Texts>;
