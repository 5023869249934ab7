package pay.sdk;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Your events as they are stored, each verified: {@link Client#streamEvents}. One thread iterates; any thread may close it, which ends the loop, as an
 * interrupt does. An event counts as taken when the loop asks for the next one.
 */
public final class EventStream implements Iterable<StreamedEvent>, AutoCloseable {
    private static final String PATH = "/api/event-stream";
    /** The service sends something every ten seconds: after this time the connection leads nowhere. */
    private static final Duration SILENCE = Duration.ofSeconds(30);
    /** Doubles with each break in a row. */
    private static final long PAUSE_MILLIS = 50;
    private static final long PAUSE_MAX_MILLIS = 5_000;

    private final Client client;
    private final List<CallbackKey> keys;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Response response;
    private String place;
    private boolean wasOpen;
    private boolean hasBegun;
    private boolean wasReadAnew;
    private int breaks;

    EventStream(Client client, Collection<CallbackKey> keys, String after) {
        this.client = client;
        this.keys = List.copyOf(keys);
        this.place = after;
    }

    /**
     * The events from where the stream is. {@code hasNext} waits for one, and is false once the stream is closed or the thread interrupted. It throws
     * {@link ApiException} if the stream is refused, {@link NoAnswerException} if nobody answers at first, and {@link IllegalStateException}, with a {@link
     * CallbackRefusedException} as its cause, at an event that none of the keys has signed.
     */
    @Override
    public Iterator<StreamedEvent> iterator() {
        return new Iterator<>() {
            private StreamedEvent taken;
            private StreamedEvent next;

            @Override
            public boolean hasNext() {
                if (next == null) {
                    if (taken != null) {
                        place = taken.place();
                        wasReadAnew = false;
                    }
                    next = await();
                }
                return next != null;
            }

            @Override
            public StreamedEvent next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                taken = next;
                next = null;
                return taken;
            }
        };
    }

    /** Closes the connection, and ends the loop. */
    @Override
    public void close() {
        closed.countDown();
        var open = response;
        if (open != null) {
            open.close();
        }
    }

    /** The next event, or where the stream begins; null at its end. */
    private StreamedEvent await() {
        try {
            while (closed.getCount() > 0) {
                if (response == null) {
                    response = new Response(client, place == null ? PATH : PATH + Wire.query("after", place));
                    continue; // It may have been closed meanwhile.
                }
                var message = response.message();
                if (message == null) {
                    breakOff(response.fault());
                    continue;
                }
                breaks = 0;
                var streamed = read(message);
                if (streamed != null) {
                    return streamed;
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        close();
        return null;
    }

    private StreamedEvent read(Map<String, String> message) throws InterruptedException {
        var id = message.get("id");
        if (message.containsKey("data")) {
            try {
                return new StreamedEvent(id, verified(message.get("data")));
            } catch (CallbackRefusedException refused) {
                if (wasReadAnew) {
                    close();
                    throw new IllegalStateException(message.get("event") + " is not verified: " + refused.getMessage(), refused);
                }
                // It may have waited here until its signature was stale, or its key replaced: it is read once more.
                wasReadAnew = true;
                breakOff(null);
                return null;
            }
        }
        if (hasBegun) {
            place = id;
            return null;
        }
        hasBegun = true;
        return new StreamedEvent(id, null);
    }

    private PartnerEvent verified(String data) throws CallbackRefusedException {
        var members = Optional.ofNullable(Json.readObject(data.getBytes(StandardCharsets.UTF_8))).orElse(Map.of());
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        if (members.get("headers") instanceof Map<?, ?> named) {
            named.forEach((name, value) -> headers.put(String.valueOf(name), String.valueOf(value)));
        }
        return Callbacks.verify(String.valueOf(members.get("body")).getBytes(StandardCharsets.UTF_8), headers::get, keys, Instant.now());
    }

    /** Closes the response and waits before the next one, unless the fault ends the stream. */
    private void breakOff(RuntimeException fault) throws InterruptedException {
        wasOpen |= response.isOpen();
        response.close();
        response = null;
        var isBusy = fault instanceof ApiException refused && (refused.status() == 429 || refused.status() >= 500);
        var isOurs = closed.getCount() == 0; // A request that was cancelled may end like one that nobody answered.
        if (fault != null && !isOurs && !isBusy && (fault instanceof ApiException || !wasOpen)) {
            close();
            throw fault;
        }
        breaks++;
        closed.await(Math.min(PAUSE_MILLIS << Math.min(breaks, 10), PAUSE_MAX_MILLIS), TimeUnit.MILLISECONDS);
    }

    /** A response: its lines, one at a time, and then its end. */
    private static final class Response implements Flow.Subscriber<String> {
        /** At most one line, which is asked for when the one before is taken, and the end: empty. */
        private final BlockingQueue<Optional<String>> lines = new LinkedBlockingQueue<>();
        private final CompletableFuture<HttpResponse<byte[]>> whole;
        private volatile Flow.Subscription subscription;

        Response(Client client, String target) {
            whole = client.stream(target, this);
            whole.whenComplete((response, error) -> lines.add(Optional.empty()));
        }

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
            given.request(1);
        }

        @Override
        public void onNext(String line) {
            lines.add(Optional.of(line));
        }

        @Override
        public void onError(Throwable error) {
            // The future ends, too.
        }

        @Override
        public void onComplete() {
            // The future ends, too.
        }

        boolean isOpen() {
            return subscription != null;
        }

        /** The fields of the next message; null at the end, and after a silence. What was cut is no message. */
        Map<String, String> message() throws InterruptedException {
            var fields = new HashMap<String, String>();
            for (var line = line(); line != null; line = line()) {
                if (!line.isEmpty()) {
                    var field = line.split(": ", 2);
                    fields.put(field[0], field.length < 2 ? "" : field[1]);
                } else if (fields.containsKey("id")) {
                    return fields;
                } else {
                    fields.clear();
                }
            }
            return null;
        }

        private String line() throws InterruptedException {
            var line = lines.poll(SILENCE.toMillis(), TimeUnit.MILLISECONDS);
            if (line == null || line.isEmpty()) {
                return null;
            }
            subscription.request(1);
            return line.get();
        }

        /** Why there is no more of it; null if it was a stream, or was closed here. */
        RuntimeException fault() throws InterruptedException {
            if (isOpen()) {
                return null;
            }
            if (!whole.isDone()) {
                return new NoAnswerException(new IOException("no response within " + SILENCE.toSeconds() + " s"), null);
            }
            try {
                var refused = whole.get();
                return refused.statusCode() == 200 ? new NoAnswerException(new IOException(Client.NOT_FROM_THIS_API), null) : Client.refusal(refused, null);
            } catch (CancellationException closed) {
                return null;
            } catch (ExecutionException failed) {
                return new NoAnswerException(failed.getCause(), null);
            }
        }

        void close() {
            whole.cancel(true);
        }
    }
}
