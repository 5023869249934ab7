import type { ChargePeriod } from '@pay/contract/messages.ts';
import type { Language } from '../../wording/language.ts';
import { consentEn } from './consent-en.ts';
import { consentRu } from './consent-ru.ts';

/** What differs between consents. There is no amount: the consent fixes none. */
export type ConsentFacts = { readonly shop: string; readonly period: ChargePeriod };

/** A term and the agreement about it. */
export type ConsentPoint = { readonly term: string; readonly text: string };
export type ConsentSection = { readonly heading: string; readonly paragraphs: readonly string[] };

/**
 * What a buyer agrees to, in one language. Every word is evidence: if one changes, `version` must change too
 * (a test compares the text with its version).
 */
export type ConsentWords = {
  /** Stored with each consent: the date of the wording, and its language. */
  readonly version: string;
  /** "not more often than once in a calendar month", and so on. */
  readonly periods: Readonly<Record<ChargePeriod, string>>;
  readonly question: string;
  /** Beside the box: what ticking it means. */
  box(shop: string, period: string): string;
  /** Under the box: the most important points, without opening the full text. */
  points(shop: string, period: string): readonly ConsentPoint[];
  readonly fullTitle: string;
  fullText(shop: string, period: string): readonly ConsentSection[];
};

export const CONSENT_WORDS = { ru: consentRu, en: consentEn } as const satisfies Record<Language, ConsentWords>;
