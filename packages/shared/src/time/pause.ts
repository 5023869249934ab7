/** A pause between two rounds of work that can be cut short. */
export type Pause = {
  /** Ends the current pause or, if there is none, the next one: a wake during a round is not lost. */
  readonly wake: () => void;
  /** Waits `ms`, or until woken, or until `ended` is aborted. */
  readonly wait: (ms: number, ended: AbortSignal) => Promise<void>;
};

export function createPause(): Pause {
  let woken = false;
  let end: (() => void) | undefined;
  return {
    wake() {
      woken = true;
      end?.();
    },
    async wait(ms, ended) {
      if (!woken && !ended.aborted) {
        await new Promise<void>((resolve) => {
          const finish = () => {
            clearTimeout(timer);
            ended.removeEventListener('abort', finish);
            end = undefined;
            resolve();
          };
          const timer = setTimeout(finish, ms);
          ended.addEventListener('abort', finish);
          end = finish;
        });
      }
      woken = false;
    },
  };
}
