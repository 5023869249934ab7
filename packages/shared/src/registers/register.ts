import type { PartnerId } from '../identities/identities.ts';
/**
 * Common to registers of every ledger: a closed day of a partner's balance, which never changes. See
 * decisions/daily-registers.
 */
export type ClosedDay = {
  readonly registerId: string;
  readonly partnerId: PartnerId;
  /** `2026-11-22`, UTC. */
  readonly day: string;
  readonly lineCount: number;
  readonly madeAt: Date;
};

/** Lines per response: a day of any size is read in parts. */
export const PART_LINES = 5_000;

/** The number of parts of a register; one without lines has one. */
export const partsOf = ({ lineCount }: Pick<ClosedDay, 'lineCount'>): number => Math.max(1, Math.ceil(lineCount / PART_LINES));

/** Bookings end soon after they began. One that takes longer than this goes into the next day's register. */
export const CLOSING_MINUTES = 10;
