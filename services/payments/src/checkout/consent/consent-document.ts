import { createHash } from 'node:crypto';
import type { Language } from '../../wording/language.ts';
import { CONSENT_WORDS, type ConsentFacts, type ConsentPoint, type ConsentSection } from './consent-words.ts';

/** A consent as one buyer is asked for it: the parts that the pages show, and the whole text as it is stored. */
export type ConsentDocument = {
  readonly language: Language;
  readonly version: string;
  readonly question: string;
  readonly box: string;
  readonly points: readonly ConsentPoint[];
  readonly fullTitle: string;
  readonly fullText: readonly ConsentSection[];
  /** All of the above in reading order, one line each: exactly what the buyer saw. */
  readonly text: string;
  /** Lowercase hex SHA-256 of the UTF-8 text. */
  readonly sha256: string;
};

/** The consent in a language. Pure: the same facts give the same text and hash. */
export function consentDocument(language: Language, { shop, period }: ConsentFacts): ConsentDocument {
  const words = CONSENT_WORDS[language];
  const often = words.periods[period];
  const { version, question, fullTitle } = words;
  const box = words.box(shop, often);
  const points = words.points(shop, often);
  const fullText = words.fullText(shop, often);
  const text = [
    question,
    box,
    ...points.flatMap((point) => [point.term, point.text]),
    fullTitle,
    ...fullText.flatMap(({ heading, paragraphs }) => [heading, ...paragraphs]),
  ].join('\n');
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { language, version, question, box, points, fullTitle, fullText, text, sha256 };
}

/** "not more often than once a calendar month", in a language. */
export function periodWords(language: Language, period: ConsentFacts['period']): string {
  return CONSENT_WORDS[language].periods[period];
}
