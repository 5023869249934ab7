/** Places for calls that are sent to a second replica. */
export type Hedges = {
  /** Takes a place and returns how to give it back; undefined at once if there is none. */
  enter(): (() => void) | undefined;
};

/** Share of the calls in flight: a database that is slow for everybody gets a tenth more calls, not twice as many. */
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
