/** Places for calls that are asked of a second replica. */
export type Hedges = {
  /** A place, and how to give it back; undefined at once when there is none. */
  enter(): (() => void) | undefined;
};

/** Of the calls in flight: a database that is slow for all is asked a tenth more, and not twice for everything. */
const SHARE = 0.1;

export function createHedges(callsInFlight: () => number): Hedges {
  let taken = 0;
  return {
    enter() {
      if (taken >= Math.max(1, Math.floor(callsInFlight() * SHARE))) return undefined;
      taken += 1;
      return () => {
        taken -= 1;
      };
    },
  };
}
