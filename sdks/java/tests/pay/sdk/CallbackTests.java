package pay.sdk;

import static pay.sdk.Checks.json;
import static pay.sdk.Checks.maps;
import static pay.sdk.Checks.same;
import static pay.sdk.Checks.string;
import static pay.sdk.Checks.test;
import static pay.sdk.Checks.thrown;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import pay.sdk.CallbackReceiver.Answer;
import pay.sdk.PartnerEvent.PaymentCompletedEvent;
import pay.sdk.PartnerEvent.UnknownEvent;

/** Callbacks: the vectors, and a receiver by itself and behind a server. */
final class CallbackTests {
    private static final CallbackKey OLD = new CallbackKey("k1", "A".repeat(43) + "=");
    private static final CallbackKey NEW = new CallbackKey("k2", "B" + "A".repeat(42) + "=");

    private CallbackTests() {}

    static void run() throws Exception {
        var vectors = json("packages/signing/test/vectors/callback-signing.json");
        var keys = new ArrayList<CallbackKey>();
        Checks.map(vectors.get("keys")).forEach((name, secret) -> keys.add(new CallbackKey(name, (String) secret)));
        for (var one : maps(vectors.get("cases"))) {
            test("verifies: " + string(one, "name"), () -> verifies(one, keys));
        }
        var first = maps(vectors.get("cases")).get(0);
        for (var one : maps(json("sdks/conformance/signatures.json").get("cases"))) {
            test("reads eight signatures: " + string(one, "name") + " (N14)", () -> readsEight(one, first, keys));
        }
        test("receives a repeat once, nothing forged, and again what failed", CallbackTests::receives);
        test("receives behind the server of the JDK", () -> receivesBehind(CallbackTests::serveByJdk));
        test("has a record for each event, and one for those of a newer service", () -> {
            var completed = event("e-1", 1, "payment.completed", "\"orderId\":\"p-1\",\"amount\":\"10.50\"");
            var paid = (PaymentCompletedEvent) verified(completed);
            same("10.50", paid.data().amount().toPlainString());
            same("payment:p-1", Callbacks.aggregateOf(paid));
            var unknown = (UnknownEvent) verified(event("e-2", 1, "comet.sighted", "\"bindingId\":\"b-1\",\"tail\":{\"km\":2}"));
            same("comet.sighted", unknown.type());
            same("binding:b-1", Callbacks.aggregateOf(unknown));
            same("e-3", Callbacks.aggregateOf(verified(event("e-3", 1, "comet.sighted", ""))));
            var wrong = event("e-4", 1, "payment.completed", "\"orderId\":1");
            same("malformed", thrown(CallbackRefusedException.class, () -> verified(wrong)).reason());
        });
        test("says which key is wrong", () -> {
            var error = thrown(IllegalArgumentException.class, () -> new CallbackKey("k1", "short"));
            same(true, error.getMessage().contains("callback key k1"));
        });
    }

    private static void readsEight(Map<String, Object> one, Map<String, Object> first, List<CallbackKey> keys) throws Exception {
        var at = Instant.ofEpochSecond(Long.parseLong(string(first, "timestamp")));
        var body = string(first, "body").getBytes(StandardCharsets.UTF_8);
        var id = (String) Json.readObject(body).get("eventId");
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(Map.of("X-Service-Timestamp", string(first, "timestamp"), "X-Service-Signature", string(one, "signature"), "X-Service-Event-ID", id));
        if (one.get("reason") == null) {
            same(id, Callbacks.verify(body, headers::get, keys, at).eventId());
        } else {
            same(one.get("reason"), thrown(CallbackRefusedException.class, () -> Callbacks.verify(body, headers::get, keys, at)).reason());
        }
    }

    private static void verifies(Map<String, Object> one, List<CallbackKey> keys) throws Exception {
        var at = Instant.ofEpochSecond(Long.parseLong(string(one, "timestamp")));
        var body = string(one, "body").getBytes(StandardCharsets.UTF_8);
        var found = Pattern.compile("\"eventId\":\"([^\"]+)\"").matcher(string(one, "body"));
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        headers.putAll(Map.of("x-service-timestamp", string(one, "timestamp"), "X-SERVICE-SIGNATURE", string(one, "signature")));
        if (found.find()) {
            headers.put("X-Service-Event-ID", found.group(1));
            same(found.group(1), Callbacks.verify(body, headers::get, keys, at.plusSeconds(300)).eventId());
            headers.put("X-Service-Event-ID", "another");
        }
        refused("malformed", body, headers, keys, at);
        refused("bad signature", (string(one, "body") + " ").getBytes(StandardCharsets.UTF_8), headers, keys, at);
        refused("stale", body, headers, keys, at.plusSeconds(301));
        refused("stale", body, headers, keys, at.minusSeconds(301));
        refused("unknown key", body, headers, List.of(OLD), at);
        headers.put("X-Service-Timestamp", "soon");
        refused("unsigned", body, headers, keys, at);
    }

    private static void refused(String reason, byte[] body, Map<String, String> headers, List<CallbackKey> keys, Instant now) {
        same(reason, thrown(CallbackRefusedException.class, () -> Callbacks.verify(body, headers::get, keys, now)).reason());
    }

    private static PartnerEvent verified(byte[] body) throws CallbackRefusedException {
        var now = Instant.now();
        return Callbacks.verify(body, Callbacks.signedHeaders(body, List.of(NEW), now)::get, List.of(OLD, NEW), now);
    }

    private static byte[] event(String id, int version, String type, String data) {
        var text = "{\"schemaVersion\":1,\"eventId\":\"%s\",\"type\":\"%s\",\"aggregateVersion\":%d,\"createdAt\":\"2026-11-22T10:00:00.000Z\",\"data\":{%s}}";
        return text.formatted(id, type, version, data).getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] event(String id, int version) {
        return event(id, version, "payment.completed", "\"orderId\":\"p-1\"");
    }

    /** A receiver that remembers what it applied and refused. */
    private static final class Shop {
        final List<String> applied = new ArrayList<>();
        final List<Integer> refused = new ArrayList<>();
        boolean fails;
        final CallbackReceiver<Void> receiver = new CallbackReceiver<>(() -> List.of(OLD, NEW), new MemoryEventStore(), (event, nothing) -> {
            if (fails) {
                throw new IllegalStateException("the database is away");
            }
            applied.add(event.eventId());
        }, (status, reason) -> refused.add(status));

        Answer post(byte[] body, Map<String, String> headers) {
            return receiver.receive("POST", headers::get, body);
        }
    }

    private static Map<String, String> signed(byte[] body, CallbackKey key, int late) {
        return Callbacks.signedHeaders(body, List.of(key), Instant.now().minusSeconds(late));
    }

    private static void receives() {
        var shop = new Shop();
        var first = event("e-1", 1);
        same(new Answer(200, "ok\n"), shop.post(first, signed(first, NEW, 0)));
        same(new Answer(200, "ok\n"), shop.post(first, signed(first, OLD, 0)));
        same(new Answer(401, "not authentic\n"), shop.post(event("e-9", 1), signed(first, NEW, 0)));
        same(new Answer(401, "not authentic\n"), shop.post(first, Map.of()));
        same(new Answer(401, "not authentic\n"), shop.post(first, signed(first, NEW, 305)));
        same(new Answer(401, "not authentic\n"), shop.post(first, signed(first, NEW, -305)));
        same(new Answer(400, "not an event\n"), shop.post("{}".getBytes(StandardCharsets.UTF_8), signed("{}".getBytes(StandardCharsets.UTF_8), NEW, 0)));
        same(new Answer(405, "POST only\n"), shop.receiver.receive("GET", name -> null, new byte[0]));
        var big = new byte[CallbackReceiver.BYTES_MAX + 1];
        same(new Answer(413, "too large\n"), shop.post(big, signed(big, NEW, 0)));
        shop.fails = true;
        var second = event("e-2", 3);
        same(new Answer(500, "error\n"), shop.post(second, signed(second, NEW, 0)));
        shop.fails = false;
        same(new Answer(200, "ok\n"), shop.post(second, signed(second, NEW, 0)));
        var older = event("e-3", 2);
        same(new Answer(200, "ok\n"), shop.post(older, signed(older, NEW, 0)));
        same(List.of("e-1", "e-2"), shop.applied);
        same(List.of(401, 401, 401, 401, 400, 405, 413, 500), shop.refused);
    }

    /**
     * A server with a receiver.
     *
     * @param port where it listens, on 127.0.0.1
     * @param stop stops it
     */
    record Served(int port, Checks.Test stop) {}

    /** A server that passes each request to {@code /callbacks} on to a receiver. */
    interface Server {
        Served serve(CallbackReceiver<?> receiver) throws Exception;
    }

    private static Served serveByJdk(CallbackReceiver<?> receiver) throws IOException {
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/callbacks", new CallbackHandler(receiver));
        server.start();
        return new Served(server.getAddress().getPort(), () -> server.stop(0));
    }

    /** What a receiver does behind each server: it applies what is authentic, once, and reads no more than an event may have. */
    static void receivesBehind(Server server) throws Exception {
        var shop = new Shop();
        var served = server.serve(shop.receiver);
        try {
            var url = URI.create("http://127.0.0.1:" + served.port() + "/callbacks");
            var body = event("e-1", 1);
            same(new Answer(200, "ok\n"), posted(url, body, signed(body, NEW, 0)));
            same(new Answer(200, "ok\n"), posted(url, body, signed(body, OLD, 0)));
            var other = event("e-2", 2);
            same(new Answer(401, "not authentic\n"), posted(url, other, signed(body, NEW, 0)));
            same(new Answer(401, "not authentic\n"), posted(url, other, signed(other, NEW, 305)));
            var big = new byte[300_000];
            same(new Answer(413, "too large\n"), posted(url, big, signed(big, NEW, 0)));
            shop.fails = true;
            same(new Answer(500, "error\n"), posted(url, other, signed(other, NEW, 0)));
            shop.fails = false;
            same(new Answer(200, "ok\n"), posted(url, other, signed(other, NEW, 0)));
            same(List.of("e-1", "e-2"), shop.applied);
            same(List.of(401, 401, 413, 500), shop.refused);
        } finally {
            served.stop().run();
        }
    }

    private static Answer posted(URI url, byte[] body, Map<String, String> headers) throws Exception {
        var request = HttpRequest.newBuilder(url).POST(HttpRequest.BodyPublishers.ofByteArray(body));
        headers.forEach((name, value) -> {
            if (!value.isEmpty()) {
                request.header(name, value);
            }
        });
        var response = HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
        return new Answer(response.statusCode(), response.body());
    }
}
