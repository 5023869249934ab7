type Options = {
  /** Items per write. */
  readonly max: number;
  /** How long an idle batcher gathers after the first item; 0: until the end of this tick of the event loop. */
  readonly waitMs: number;
  /** From the start of one write to the start of the next. 0 by default: the next follows at once. */
  readonly everyMs?: number;
  /** Writes that run at the same time. 1 by default. */
  readonly parallel?: number;
};

type Waiter<Item, Answer> = {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Writes items in batches: those that arrive while a write is running share the next one. Each item gets what its
 * batch's write returned, or the error it threw; a failed write does not affect the batches after it. First in, first out.
 */
export function batcher<Item, Answer>(
  write: (items: readonly Item[]) => Promise<Answer>,
  { max, waitMs, everyMs = 0, parallel = 1 }: Options,
): (item: Item) => Promise<Answer> {
  let waiting: Waiter<Item, Answer>[] = [];
  let writers = 0;

  async function writeBatch(batch: readonly Waiter<Item, Answer>[]): Promise<void> {
    try {
      const answer = await write(batch.map(({ item }) => item));
      for (const { resolve } of batch) resolve(answer);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  async function writeAll(): Promise<void> {
    await (waitMs === 0 ? endOfTurn() : passed(waitMs));
    while (waiting.length > 0) {
      const next = everyMs === 0 ? undefined : passed(everyMs);
      const batch = waiting.slice(0, max);
      waiting = waiting.slice(max);
      await writeBatch(batch);
      await next;
    }
    // In the same tick as the last check, so that an item that arrives later starts a new writer.
    writers -= 1;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (writers === parallel) return;
      writers += 1;
      void writeAll();
    });
}

/**
 * A batcher for each key, as long as something of that key is on its way: what is written for one key neither waits for
 * another's writes nor fails with them.
 */
export function batcherByKey<Item, Answer>(
  write: (items: readonly Item[]) => Promise<Answer>,
  options: Options,
): (key: string, item: Item) => Promise<Answer> {
  const busy = new Map<string, { readonly add: (item: Item) => Promise<Answer>; calls: number }>();
  return async (key, item) => {
    const own = busy.get(key) ?? { add: batcher(write, options), calls: 0 };
    busy.set(key, own);
    own.calls += 1;
    try {
      return await own.add(item);
    } finally {
      own.calls -= 1;
      if (own.calls === 0) busy.delete(key);
    }
  };
}

const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
const passed = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
