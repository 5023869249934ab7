type Limits = {
  /** Calls of all partners. */
  readonly total: number;
  /** Calls of one partner: fewer than all, so that nobody locks out the others. */
  readonly perPartner: number;
};

export type InFlight = {
  /** Current calls of all partners. */
  readonly count: number;
  /** Takes a place for one call and returns how to give it back; undefined at once if there is none. */
  enter(partnerId: string): (() => void) | undefined;
};

/** Counts calls from their first byte to their answer. There is no queue for places. */
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
