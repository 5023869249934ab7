package pay.sdk;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Verifies a callback, and stores and applies its event in one transaction: docs/partners/callbacks.md. Independent of the framework that reads the bytes.
 *
 * @param <C> what the store gives to {@code onEvent}, such as a connection in a transaction
 */
public final class CallbackReceiver<C> {
    /** Events are a few kilobytes. A server reads at most one byte more. */
    public static final int BYTES_MAX = 262_144;

    private static final Map<Integer, String> TEXTS =
        Map.of(200, "ok", 400, "not an event", 401, "not authentic", 405, "POST only", 413, "too large");

    /**
     * The response.
     *
     * @param status the HTTP status
     * @param text for the sender; it says no more than a forger may know
     */
    public record Answer(int status, String text) {}

    /**
     * Updates your order.
     *
     * @param <C> what the store gives
     */
    @FunctionalInterface
    public interface OnEvent<C> {
        /**
         * Applies an event.
         *
         * @param event the event
         * @param connection what the event is recorded with
         * @throws Exception to have the event sent again
         */
        void apply(PartnerEvent event, C connection) throws Exception;
    }

    private final Supplier<? extends Collection<CallbackKey>> keys;
    private final EventStore<C> store;
    private final OnEvent<C> onEvent;
    private final BiConsumer<Integer, String> onRefused;

    /**
     * A receiver with fixed keys and no log.
     *
     * @param keys two during a rotation
     * @param store decides what is new
     * @param onEvent updates your order, in the transaction that stores the event
     */
    public CallbackReceiver(List<CallbackKey> keys, EventStore<C> store, OnEvent<C> onEvent) {
        this(() -> keys, store, onEvent, (status, reason) -> {});
    }

    /**
     * A receiver whose keys may change while it runs.
     *
     * @param keys returns the keys, for each callback
     * @param store decides what is new
     * @param onEvent updates your order, in the transaction that stores the event
     * @param onRefused gets the status and the reason of every response other than 200, for your log
     */
    public CallbackReceiver(
        Supplier<? extends Collection<CallbackKey>> keys, EventStore<C> store, OnEvent<C> onEvent, BiConsumer<Integer, String> onRefused) {
        this.keys = keys;
        this.store = store;
        this.onEvent = onEvent;
        this.onRefused = onRefused;
    }

    /**
     * Receives a callback.
     *
     * @param method the HTTP method
     * @param header returns a header by its name in any case, or null: {@code request::getHeader}, {@code headers::getFirst}
     * @param rawBody the body as received, before any parser
     * @return 200, also for a repeat and for an event older than one applied; 401 if it is not authentic; 500 if {@code onEvent} failed, so that the
     *     event is sent again
     */
    public Answer receive(String method, UnaryOperator<String> header, byte[] rawBody) {
        var refusal = decide(method, header, rawBody);
        if (refusal.status() != 200) {
            onRefused.accept(refusal.status(), refusal.text());
        }
        return new Answer(refusal.status(), TEXTS.getOrDefault(refusal.status(), "error") + "\n");
    }

    private Answer decide(String method, UnaryOperator<String> header, byte[] rawBody) {
        if (!method.equals("POST")) {
            return new Answer(405, method + " instead of POST");
        }
        if (rawBody.length > BYTES_MAX) {
            return new Answer(413, "the body is too large");
        }
        try {
            var event = Callbacks.verify(rawBody, header, keys.get(), Instant.now());
            var receipt = new EventReceipt(event.eventId(), Callbacks.aggregateOf(event), event.aggregateVersion());
            store.receive(receipt, connection -> onEvent.apply(event, connection));
            return new Answer(200, "ok");
        } catch (CallbackRefusedException refused) {
            return new Answer(refused.reason().equals("malformed") ? 400 : 401, refused.reason() + ": " + refused.getMessage());
        } catch (Exception error) {
            // Whatever it is, the event was not applied, and is wanted again.
            return new Answer(500, error.toString());
        }
    }
}
