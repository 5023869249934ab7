package pay.sdk;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;

/**
 * The signed API of the service. Every method throws {@link ApiException} if the request is refused and {@link NoAnswerException} without a readable
 * response. Threads may share a client.
 */
public final class Client extends Calls {
    /** Attempts per call, including the first. */
    private static final int ATTEMPTS_MAX = 4;
    /** The longest Retry-After to wait for; a longer one is reported in the error. */
    private static final int RETRY_AFTER_MAX_SECONDS = 30;
    static final String NOT_FROM_THIS_API = "the response is not from this API";

    private final String origin;
    private final Identity identity;
    private final HttpClient http;
    private final Duration backoff;
    private final Duration timeout;

    private Client(Builder given) {
        if (given.baseUrl == null || !given.baseUrl.matches("https?://[^/?#@\\s]+/?")) {
            throw new IllegalArgumentException("baseUrl must be an origin without a path, such as https://api.example");
        }
        this.origin = given.baseUrl.replaceAll("/$", "");
        if (given.http != null && given.http.followRedirects() != HttpClient.Redirect.NEVER) {
            throw new IllegalArgumentException("httpClient must not follow redirects: a signature covers the path");
        }
        this.identity = new Identity(given.partnerID, given.publicKey, given.privateKeyPem);
        this.http = given.http != null ? given.http : HttpClient.newBuilder().connectTimeout(given.timeout).build();
        this.backoff = given.backoff;
        this.timeout = given.timeout;
    }

    /** {@return a builder} */
    public static Builder builder() {
        return new Builder();
    }

    /** Builds a {@link Client}. {@code baseUrl}, {@code partnerID}, {@code publicKey} and {@code privateKeyPem} are required. */
    public static final class Builder {
        private String baseUrl;
        private String partnerID;
        private String publicKey;
        private String privateKeyPem;
        private HttpClient http;
        private Duration backoff = Duration.ofMillis(250);
        private Duration timeout = Duration.ofSeconds(30);

        private Builder() {}

        /**
         * The origin of the API.
         *
         * @param value such as {@code https://api.example}, without a path
         * @return this builder
         */
        public Builder baseUrl(String value) {
            this.baseUrl = value;
            return this;
        }

        /**
         * Who calls.
         *
         * @param value as issued
         * @return this builder
         */
        public Builder partnerID(String value) {
            this.partnerID = value;
            return this;
        }

        /**
         * The public key.
         *
         * @param value the OpenSSH line, as registered
         * @return this builder
         */
        public Builder publicKey(String value) {
            this.publicKey = value;
            return this;
        }

        /**
         * The private key. It never leaves this process.
         *
         * @param value PKCS#8 PEM, or a key in OpenSSH's own format
         * @return this builder
         */
        public Builder privateKeyPem(String value) {
            this.privateKeyPem = value;
            return this;
        }

        /**
         * For a proxy or your own certificates.
         *
         * @param value it must not follow redirects
         * @return this builder
         */
        public Builder httpClient(HttpClient value) {
            this.http = value;
            return this;
        }

        /**
         * The pause before the second attempt: it doubles each time, and half of it is random.
         *
         * @param value 250 ms if it is not set
         * @return this builder
         */
        public Builder backoff(Duration value) {
            this.backoff = value;
            return this;
        }

        /**
         * The time limit of one whole attempt.
         *
         * @param value 30 s if it is not set; the service itself responds within a few seconds
         * @return this builder
         */
        public Builder timeout(Duration value) {
            this.timeout = value;
            return this;
        }

        /**
         * Reads the keys.
         *
         * @return the client
         * @throws IllegalArgumentException if {@code baseUrl} is not an origin, or the keys are not an Ed25519 pair
         */
        public Client build() {
            return new Client(this);
        }
    }

    /**
     * Any other call, signed and retried as all are.
     *
     * @param method the method
     * @param target the path with its escaped query
     * @param body null for none; numbers are {@link java.math.BigDecimal} or whole
     * @param idempotencyKey null for a new one
     * @return the members of the response
     */
    public Map<String, Object> request(String method, String target, Map<String, ?> body, String idempotencyKey) {
        return run(method, target, body == null ? Wire.NOTHING : Wire.body(body, false), idempotencyKey, Client::members);
    }

    /**
     * Your events as they are stored, for programs without an address: development, tests, a tool of your own. Callbacks are sent all the same. It continues
     * through every break where it was. Events may come out of order, and again after a restart: compare {@code eventId} and {@code aggregateVersion}, as with
     * callbacks.
     *
     * @param keys those of your receiver: each event is verified; two during a rotation
     * @param after continues behind this {@link StreamedEvent#place}; if it is null, the stream begins with what happens now
     * @return the events, for {@code try} and {@code for}
     */
    public EventStream streamEvents(Collection<CallbackKey> keys, String after) {
        return new EventStream(this, keys, after);
    }

    @Override
    <T> T get(String target, Class<T> type) {
        return send("GET", target, Wire.NOTHING, null, type);
    }

    @Override
    <T> T send(String method, String target, byte[] body, String idempotencyKey, Class<T> type) {
        return run(method, target, body, idempotencyKey, response -> Wire.record(type, members(response)));
    }

    @Override
    <T> ListPage<T> page(String target, Class<T> item) {
        return run("GET", target, Wire.NOTHING, null, response -> {
            var members = members(response);
            return new ListPage<>(Wire.records(item, members.get("items")), (String) members.get("nextPageToken"));
        });
    }

    @Override
    <T> List<T> items(String target, Class<T> item) {
        return run("GET", target, Wire.NOTHING, null, response -> Wire.records(item, members(response).get("items")));
    }

    @Override
    String csv(String target) {
        return run("GET", target, Wire.NOTHING, null, response -> {
            if (!response.headers().firstValue("Content-Type").orElse("").startsWith("text/csv")) {
                throw new IllegalArgumentException(NOT_FROM_THIS_API);
            }
            return new String(response.body(), StandardCharsets.UTF_8);
        });
    }

    private static Map<String, Object> members(HttpResponse<byte[]> response) {
        var members = Json.readObject(response.body());
        if (members == null) {
            throw new IllegalArgumentException(NOT_FROM_THIS_API);
        }
        return members;
    }

    /** The same bytes and the same key in each attempt, with a new timestamp, nonce and signature. */
    private <T> T run(String method, String target, byte[] body, String idempotencyKey, Function<HttpResponse<byte[]>, T> read) {
        var key = idempotencyKey == null && method.equals("POST") ? UUID.randomUUID().toString() : idempotencyKey;
        var mayBeDone = false;
        for (var attempt = 1; ; attempt++) {
            try {
                return attempt(method, target, body, key, read);
            } catch (ApiException refused) {
                var seconds = refused.retryAfterSeconds();
                if (attempt == ATTEMPTS_MAX || !mayPass(refused)) {
                    throw mayBeDone && !decides(refused) ? stillUnknown(refused, key) : refused;
                }
                pause(seconds == null ? backoff(attempt) : seconds * 1000L, key);
            } catch (NoAnswerException noAnswer) {
                if (attempt == ATTEMPTS_MAX || Thread.currentThread().isInterrupted()) {
                    throw noAnswer;
                }
                mayBeDone = mayBeDone || !method.equals("GET");
                pause(backoff(attempt), key);
            }
        }
    }

    private <T> T attempt(String method, String target, byte[] body, String key, Function<HttpResponse<byte[]>, T> read) {
        var response = sent(signed(method, target, body, key), key);
        if (response.statusCode() >= 300) {
            var refused = refusal(response, key);
            if (refused.code().equals("UNREADABLE") && refused.status() >= 500 && refused.status() != 503) {
                // The 502 or 504 of a proxy: the service may have got the request.
                throw new NoAnswerException(refused, key);
            }
            throw refused;
        }
        var headers = response.headers().map();
        if (!headers.containsKey("Content-Length") && !headers.containsKey("Transfer-Encoding")) {
            throw new NoAnswerException(new IOException("the response has neither a length nor chunks: it may have been cut"), key);
        }
        try {
            return read.apply(response);
        } catch (IllegalArgumentException | ClassCastException unreadable) {
            throw new NoAnswerException(unreadable, key);
        }
    }

    /** What a response says that is no success. */
    static ApiException refusal(HttpResponse<byte[]> response, String key) {
        var members = Json.readObject(response.body());
        var text = new String(response.body(), StandardCharsets.UTF_8);
        var requestId = response.headers().firstValue("X-Request-Id").orElse(null);
        var date = moment(response.headers().firstValue("Date").orElse(""));
        return new ApiException(response.statusCode(), text, members == null ? Map.of() : members, requestId, date, RetryAfter.seconds(response.headers().allValues("Retry-After"), Instant.now()), key);
    }

    /**
     * Opens a stream: its lines go to {@code lines} as it asks for them. The future ends with the response, whose body is that of a refusal; cancel it to
     * close the connection.
     */
    CompletableFuture<HttpResponse<byte[]>> stream(String target, Flow.Subscriber<String> lines) {
        return http.sendAsync(signed("GET", target, Wire.NOTHING, null), head -> {
            var isStream = head.statusCode() == 200 && head.headers().firstValue("Content-Type").orElse("").startsWith("text/event-stream");
            return isStream ? BodySubscribers.fromLineSubscriber(lines, own -> Wire.NOTHING, StandardCharsets.UTF_8, "\n") : BodySubscribers.ofByteArray();
        });
    }

    private HttpResponse<byte[]> sent(HttpRequest request, String key) {
        // The timeout of HttpRequest ends with the headers; this one covers the body.
        var pending = http.sendAsync(request, BodyHandlers.ofByteArray());
        try {
            return pending.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failed) {
            throw new NoAnswerException(failed.getCause(), key);
        } catch (TimeoutException late) {
            pending.cancel(true);
            throw new NoAnswerException(new IOException("no whole response within " + timeout.toMillis() + " ms", late), key);
        } catch (InterruptedException interrupted) {
            pending.cancel(true);
            Thread.currentThread().interrupt();
            throw new NoAnswerException(interrupted, key);
        }
    }

    private HttpRequest signed(String method, String target, byte[] body, String key) {
        var request = HttpRequest.newBuilder(URI.create(origin + target))
            .version(HttpClient.Version.HTTP_1_1)
            .method(method, new SentOnce(body))
            .header("Authorization", identity.sign(method, target, key == null ? "" : key, body))
            .header("Accept", "application/json");
        if (key != null) {
            request.header("Idempotency-Key", key);
        }
        if (body.length > 0) {
            request.header("Content-Type", "application/json");
        }
        return request.build();
    }

    private static boolean mayPass(ApiException refused) {
        var seconds = refused.retryAfterSeconds();
        return (seconds == null || seconds <= RETRY_AFTER_MAX_SECONDS)
            && (refused.status() == 429 || refused.status() == 503 || refused.code().equals("IDEMPOTENCY_KEY_IN_PROGRESS"));
    }

    /**
     * Whether a refusal says that an earlier attempt, which got no response, did nothing either. "Not now" and a page of a proxy don't, nor does 401: the
     * key may have been revoked in between.
     */
    private static boolean decides(ApiException refused) {
        var isOfCommand = refused.status() >= 400 && refused.status() < 500 && refused.status() != 401 && refused.status() != 429;
        return isOfCommand && !refused.code().equals("UNREADABLE") && !refused.code().equals("IDEMPOTENCY_KEY_IN_PROGRESS");
    }

    private static NoAnswerException stillUnknown(ApiException last, String key) {
        var told = "an earlier attempt got none, the last one " + last.status() + " " + last.code() + ": " + last.getMessage();
        return new NoAnswerException(new IOException(told, last), key);
    }

    private long backoff(int attempt) {
        var half = backoff.toMillis() * (1L << (attempt - 1)) / 2;
        // Half of it is random, so that clients that failed together do not retry together.
        return half + ThreadLocalRandom.current().nextLong(half + 1);
    }

    private static void pause(long millis, String key) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new NoAnswerException(interrupted, key);
        }
    }

    /** The moment of a header, or null. */
    private static Instant moment(String text) {
        try {
            return ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
        } catch (DateTimeParseException unreadable) {
            return null;
        }
    }

    /**
     * A body for one attempt. If a connection ends before the response, HttpClient sends a GET once more by itself, with the nonce of the first, which
     * the service may have taken; it asks for the length anew, and is refused.
     */
    private static final class SentOnce implements BodyPublisher {
        private final BodyPublisher body;
        private final long length;
        private final AtomicBoolean isSent = new AtomicBoolean();

        SentOnce(byte[] body) {
            this.body = BodyPublishers.ofByteArray(body);
            this.length = body.length;
        }

        @Override
        public long contentLength() {
            if (isSent.getAndSet(true)) {
                throw new IllegalStateException("the connection was cut");
            }
            return length;
        }

        @Override
        public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
            body.subscribe(subscriber);
        }
    }
}
