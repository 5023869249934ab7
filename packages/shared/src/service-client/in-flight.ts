type Limits = {
  /** Calls of all partners. */
  readonly total: number;
  /** Calls of one partner: less than all, so that nobody keeps the others out. */
  readonly perPartner: number;
};

export type InFlight = {
  /** Calls of all partners now. */
  readonly count: number;
  /** A place for one call, and how to give it back; undefined at once when there is none. */
  enter(partnerId: string): (() => void) | undefined;
};

/** Counts calls from their first byte to their answer. Nobody waits here for a place. */
export function createInFlight({ total, perPartner }: Limits): InFlight {
  const byPartner = new Map<string, number>();
  let all = 0;

  function leave(partnerId: string): void {
    all -= 1;
    const left = (byPartner.get(partnerId) ?? 0) - 1;
    if (left > 0) byPartner.set(partnerId, left);
    else byPartner.delete(partnerId);
  }

  return {
    get count() {
      return all;
    },
    enter(partnerId) {
      const own = byPartner.get(partnerId) ?? 0;
      if (all >= total || own >= perPartner) return undefined;
      all += 1;
      byPartner.set(partnerId, own + 1);
      return () => {
        leave(partnerId);
      };
    },
  };
}
