/** Time that passes when everything that could happen now has happened: hours in milliseconds, the same each time. */
export type VirtualClock = {
  readonly now: number;
  /** Resolves when this many milliseconds have passed. */
  sleep(ms: number): Promise<void>;
  /** Lets time pass until then. */
  runUntil(endsAt: number): Promise<void>;
};

export function createVirtualClock(): VirtualClock {
  let [now, order] = [0, 0];
  const waiting: { readonly at: number; readonly order: number; readonly wake: () => void }[] = [];
  return {
    get now() {
      return now;
    },
    sleep(ms) {
      return new Promise((resolve) => {
        order += 1;
        waiting.push({ at: now + ms, order, wake: resolve });
      });
    },
    async runUntil(endsAt) {
      for (;;) {
        await new Promise((resolve) => setImmediate(resolve));
        waiting.sort((a, b) => (a.at === b.at ? a.order - b.order : a.at - b.at));
        const next = waiting[0];
        if (next === undefined || next.at > endsAt) break;
        waiting.shift();
        now = next.at;
        next.wake();
      }
      now = endsAt;
    },
  };
}
