import type { PartnerId } from '../identities/identities.ts';
/** What registers of every ledger have in common: a closed day of a partner's balance, which does not change. ADR 0137. */
export type ClosedDay = {
  readonly registerId: string;
  readonly partnerId: PartnerId;
  /** `2026-11-22`, UTC. */
  readonly day: string;
  readonly lineCount: number;
  readonly madeAt: Date;
};

/** What one answer holds: a day of any size is read in parts. */
export const PART_LINES = 5_000;

/** Parts of a register; one without lines has one. */
export const partsOf = ({ lineCount }: Pick<ClosedDay, 'lineCount'>): number =>
  Math.max(1, Math.ceil(lineCount / PART_LINES));

/** Bookings end soon after they began. One that takes longer than this stands in the next day's register. */
export const CLOSING_MINUTES = 10;
