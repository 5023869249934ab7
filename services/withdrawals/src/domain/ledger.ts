import type { ReserveEffect } from './withdrawal-status.ts';

/**
 * Accounts of one store. AVAILABLE, RESERVED, PAID: where the credited USDT are now. FUNDING: where they came from, the
 * counterpart that makes every transaction sum to zero. Its balance is the negative of everything ever credited.
 */
export type LedgerAccount = 'AVAILABLE' | 'RESERVED' | 'PAID' | 'FUNDING';

/** Why USDT moved between the accounts of a store. */
export type LedgerKind = 'FUNDED' | 'RESERVED' | 'RELEASED' | 'PAID';

/** One side of a transaction: positive if it increases the account, negative if it reduces it. */
export type LedgerEntry = { readonly account: LedgerAccount; readonly amountMicroUsdt: bigint };

/** A transaction to book: it moves one amount from one account to another. */
export type Booking = { readonly kind: LedgerKind; readonly from: LedgerAccount; readonly to: LedgerAccount };

export const FUNDED: Booking = { kind: 'FUNDED', from: 'FUNDING', to: 'AVAILABLE' };
export const RESERVED: Booking = { kind: 'RESERVED', from: 'AVAILABLE', to: 'RESERVED' };

/** What the end of a request books; undefined while the amount stays reserved. */
export function bookingOf(effect: ReserveEffect): Booking | undefined {
  switch (effect) {
    case 'HOLD':
      return undefined;
    case 'FREE':
      return { kind: 'RELEASED', from: 'RESERVED', to: 'AVAILABLE' };
    case 'SPEND':
      return { kind: 'PAID', from: 'RESERVED', to: 'PAID' };
  }
}

/** Both sides; they sum to zero. */
export function entriesOf(booking: Booking, amountMicroUsdt: bigint): LedgerEntry[] {
  return [
    { account: booking.from, amountMicroUsdt: -amountMicroUsdt },
    { account: booking.to, amountMicroUsdt },
  ];
}
