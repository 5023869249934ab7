package pay.sdk;

/**
 * Where a receiver records the events that it has applied.
 *
 * @param <C> what an event is applied with, such as a connection in a transaction
 */
public interface EventStore<C> {
    /** What became of an event. */
    enum Receipt {
        /** It is recorded, and applied. */
        APPLIED,
        /** It was recorded before. */
        REPEAT,
        /** One of the same aggregate with a higher version was applied before. */
        OLDER
    }

    /**
     * Applies an event.
     *
     * @param <C> what it is applied with
     */
    @FunctionalInterface
    interface Apply<C> {
        /**
         * Updates your order.
         *
         * @param connection what the event is recorded with
         * @throws Exception to have the event sent again
         */
        void apply(C connection) throws Exception;
    }

    /**
     * In one transaction: records the event under a unique constraint, compares its version with the highest one of its aggregate, and applies it,
     * unless it is a repeat or older. If {@code apply} throws, nothing may be recorded.
     *
     * @param receipt what is recorded
     * @param apply applies the event
     * @return what became of it
     * @throws Exception what {@code apply} or the database throws
     */
    Receipt receive(EventReceipt receipt, Apply<C> apply) throws Exception;
}
