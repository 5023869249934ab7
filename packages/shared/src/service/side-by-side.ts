import type { Log } from '../logging/logger.ts';
import type { Loop } from '../time/loop.ts';

/** Work for several parties, of which none is to wait for another: for each bank, or each partner. */
type Work<Item> = {
  readonly name: string;
  readonly intervalMs: number;
  readonly log: Log;
  /** Parties that are worked for at once. */
  readonly partiesMax: number;
  /** Items of one party that are worked on at once. */
  readonly batch: number;
  /** Those for whom there is something to do, the longest waiting first. */
  parties(): Promise<readonly string[]>;
  /** Takes what is to be done for one of them. */
  claim(party: string, limit: number): Promise<readonly Item[]>;
  /** Does one, and sees to what goes wrong with it: it does not reject. */
  one(item: Item): Promise<void>;
};

/**
 * A loop whose rounds begin the work of each party and wait for none of it: batch after batch, until nothing is left for that
 * party. Who is slow delays his own work. What was begun is waited for when the loop stops.
 */
export function sideBySideLoop<Item>(work: Work<Item>): Loop {
  const { name, intervalMs, log, partiesMax, batch } = work;
  const running = new Map<string, Promise<void>>();

  async function workFor(party: string, stopping: AbortSignal): Promise<void> {
    for (let count = batch; count === batch && !stopping.aborted;) {
      const items = await work.claim(party, batch);
      await Promise.all(items.map((item) => work.one(item)));
      count = items.length;
    }
  }

  return {
    name,
    intervalMs,
    async round(stopping) {
      for (const party of await work.parties()) {
        if (running.size === partiesMax) break;
        if (running.has(party)) continue;
        const ended = workFor(party, stopping)
          .catch((err: unknown) => {
            log.error('loop round failed', { loop: name, party, err });
          })
          .finally(() => running.delete(party));
        running.set(party, ended);
      }
      return 'done';
    },
    async settled() {
      await Promise.all(running.values());
    },
  };
}
