import { findTestCard, type TestCardOutcome } from '@pay/shared/sandbox/test-cards.ts';

/** Card details as they pass through memory. They are never stored, logged or echoed. */
export type CardDetails = {
  readonly number: string;
  readonly expiryMonth: number;
  readonly expiryYear: number;
  readonly cvv: string;
};

/** What the bank stores about a card: how it looks and how it behaves. */
export type CardTraits = { readonly mask: string; readonly expiry: string; readonly outcome: TestCardOutcome | null };

/** Mask, expiry and behaviour of a card; `outcome` is null for a number that is not a test card. */
export function cardTraits(card: CardDetails): CardTraits {
  return {
    mask: maskOf(card.number),
    expiry: expiryOf(card.expiryYear, card.expiryMonth),
    outcome: findTestCard(card.number)?.outcome ?? null,
  };
}

/** First six and last four digits with six stars between, whatever the length: `220070******1234`. */
export function maskOf(number: string): string {
  return `${number.slice(0, 6)}******${number.slice(-4)}`;
}

function expiryOf(year: number, month: number): string {
  return `${String(year)}-${String(month).padStart(2, '0')}`;
}

/** A card is valid through the last millisecond of its month, UTC. `expiry` is for example `2028-09`. */
export function isCardExpired(expiry: string, now: Date): boolean {
  return now.toISOString().slice(0, 7) > expiry;
}
