/** What a store needs to know about an event. */
export type EventReceipt = {
  /** Unique: a second event with this id is a repeat. */
  readonly eventId: string;
  /** The payment or binding that the event is about. */
  readonly aggregateId: string;
  /** Increases by one with every event of the same payment or binding. */
  readonly aggregateVersion: number;
};

/** `applied`: `apply` ran. `repeat`: this event was applied before. `older`: one with a higher version was. */
export type Receipt = 'applied' | 'repeat' | 'older';

/**
 * Where a receiver records processed events. `postgres-event-store.ts` is one implementation; write your own for
 * another database.
 */
export type EventStore<Transaction> = {
  /**
   * In one transaction: record the event under a unique constraint, compare its version with the highest one of its
   * aggregate, and run `apply`, unless it is a repeat or older. If `apply` throws, nothing may be recorded.
   */
  receive(receipt: EventReceipt, apply: (transaction: Transaction) => Promise<void>): Promise<Receipt>;
};

/** For tests and trials: everything is lost when the process ends. Events of one aggregate are applied one at a time. */
export function memoryEventStore(): EventStore<undefined> {
  const seen = new Set<string>();
  const versions = new Map<string, number>();
  const tails = new Map<string, Promise<unknown>>();

  const receiveNow = async (
    { eventId, aggregateId, aggregateVersion }: EventReceipt,
    apply: (transaction: undefined) => Promise<void>,
  ): Promise<Receipt> => {
    if (seen.has(eventId)) return 'repeat';
    const isOlder = aggregateVersion < (versions.get(aggregateId) ?? 0);
    if (!isOlder) {
      await apply(undefined);
      versions.set(aggregateId, aggregateVersion);
    }
    seen.add(eventId);
    return isOlder ? 'older' : 'applied';
  };

  return {
    receive(receipt, apply) {
      const before = tails.get(receipt.aggregateId) ?? Promise.resolve();
      const mine = before.then(() => receiveNow(receipt, apply));
      // A failed event must not block the next one.
      const tail = mine.then(
        () => undefined,
        () => undefined,
      );
      tails.set(receipt.aggregateId, tail);
      void tail.then(() => {
        if (tails.get(receipt.aggregateId) === tail) tails.delete(receipt.aggregateId);
      });
      return mine;
    },
  };
}
