/**
 * How old an answer of a fence may be when the first byte of the call leaves, in milliseconds. Whoever waits as long after
 * taking a lease away, or revoking a consent, knows that nothing leaves on an older answer any more
 * (decisions/leases-and-fences).
 */
export { CONSENT_HOLDS_MS as HOLDS_MS } from '@pay/contract/charges.ts';

/** What a fence says. */
export type FenceAnswer = {
  /** How long a call may take that began when the question was asked, in milliseconds; 0 if nothing may be sent. */
  readonly leftMs: number;
  /** Milliseconds since before the question was asked. */
  readonly ageMs: () => number;
};

/** The lease under which a process moves money, as a connector sees it. */
export type Fence = {
  /** Asks the database whether a call may be sent now. @throws Error if it does not answer: then nothing may be sent */
  ask(): Promise<FenceAnswer>;
};
