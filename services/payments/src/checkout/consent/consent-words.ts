import type { ChargePeriod } from '@pay/contract/messages.ts';
import type { Language } from '../language.ts';
import { consentEn } from './consent-en.ts';
import { consentRu } from './consent-ru.ts';

/** What differs from one consent to the next. No amount: the consent fixes none. */
export type ConsentFacts = { readonly shop: string; readonly period: ChargePeriod };

/** A term and what is agreed about it. */
export type ConsentPoint = { readonly term: string; readonly text: string };
export type ConsentSection = { readonly heading: string; readonly paragraphs: readonly string[] };

/**
 * What a buyer agrees to, in one language. Every word of it is evidence: change one, and `version` has to change with it
 * (a test compares the text with its version).
 */
export type ConsentWords = {
  /** Stored with each consent: the day of the wording and its language. */
  readonly version: string;
  /** "not more often than once a calendar month" and its siblings. */
  readonly periods: Readonly<Record<ChargePeriod, string>>;
  readonly question: string;
  /** Beside the box: what ticking it says. */
  box(shop: string, period: string): string;
  /** Under the box: what matters most, before anybody has to open the full text. */
  points(shop: string, period: string): readonly ConsentPoint[];
  readonly fullTitle: string;
  fullText(shop: string, period: string): readonly ConsentSection[];
};

export const CONSENT_WORDS = { ru: consentRu, en: consentEn } as const satisfies Record<Language, ConsentWords>;
