/** So many pauses, and there is one subscription more, with as many places. */
const PLACES = 25;
/** How many messages may pause at once in this process. */
export const PAUSES_MAX = 450;

/** A connection's way to more places. */
type Subscriber = {
  /** Subscribes once more, for so many unacknowledged messages. Returns the subscription's tag. */
  readonly take: (places: number) => Promise<string>;
  readonly cancel: (tag: string) => Promise<void>;
};

export type Pauses = {
  /** A message begins to pause: another gets a place for it. Call the result at its end. Undefined if too many pause. */
  enter(): (() => void) | undefined;
  /** Serves a connection from now on, instead of the one before. Call the result before it is cancelled. */
  serve(subscriber: Subscriber): () => Promise<void>;
};

/**
 * Places for messages that pause. A paused message stays unacknowledged, and the broker delivers no more than a subscription has
 * places for: fifty messages that fail each time would keep everybody's waiting. So their places are given to others, by further
 * subscriptions to the queue, which end with the pauses. A process without pauses takes no more messages than before.
 */
export function createPauses(): Pauses {
  let count = 0;
  let adjust: () => void = () => undefined;
  return {
    enter() {
      if (count >= PAUSES_MAX) return undefined;
      count += 1;
      adjust();
      return () => {
        count -= 1;
        adjust();
      };
    },
    serve({ take, cancel }) {
      const tags: string[] = [];
      let [isStopped, adjusting] = [false, Promise.resolve()];
      const change = async (): Promise<void> => {
        while (!isStopped && (tags.length + 1) * PLACES <= count) tags.push(await take(PLACES));
        // One is kept as long as anything pauses: otherwise a message that comes and goes would move it each time.
        while (tags.length > 0 && (isStopped || count === 0 || (tags.length - 1) * PLACES > count)) await cancel(tags.pop() ?? '');
      };
      // On a channel that is gone: the next connection is served by itself.
      const own = () => (adjusting = adjusting.then(change).catch(() => undefined));
      adjust = () => void own();
      adjust();
      return async () => {
        isStopped = true;
        await own();
      };
    },
  };
}
