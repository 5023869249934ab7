import type { Log } from '../logging/logger.ts';
import type { Loop } from '../time/loop.ts';

/** Work for several parties, none of which should wait for another: for each bank or partner. */
type Work<Item> = {
  readonly name: string;
  readonly intervalMs: number;
  readonly log: Log;
  /** Maximum number of parties served concurrently. */
  readonly partiesMax: number;
  /** Maximum number of one party's items in progress. */
  readonly batch: number;
  /** Parties with something to do, longest wait first. */
  parties(): Promise<readonly string[]>;
  /** Claims one party's items. */
  claim(party: string, limit: number): Promise<readonly Item[]>;
  /** Handles one item, including its errors: it does not reject. */
  one(item: Item): Promise<void>;
};

/**
 * A loop whose rounds start each party's work without waiting for it: batch after batch, until nothing is left for that
 * party. A slow party delays only its own work. Work in progress is awaited when the loop stops.
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
