package pay.sdk;

import static pay.sdk.Checks.json;
import static pay.sdk.Checks.map;
import static pay.sdk.Checks.maps;
import static pay.sdk.Checks.same;
import static pay.sdk.Checks.string;
import static pay.sdk.Checks.test;

import java.math.BigDecimal;
import java.net.ServerSocket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** Streams of events: the cases that every SDK passes, and their ends. */
final class StreamTests {
    private static final Map<String, CallbackKey> KEYS =
        Map.of("k1", new CallbackKey("k1", "A".repeat(43) + "="), "k2", new CallbackKey("k2", "B" + "A".repeat(42) + "="));
    private static final List<CallbackKey> OWN = List.of(KEYS.get("k1"));
    private static final Map<String, Class<? extends Throwable>> KINDS =
        Map.of("refused", ApiException.class, "no answer", NoAnswerException.class, "not verified", IllegalStateException.class);

    private StreamTests() {}

    static void run(Map<String, Object> partner) throws Exception {
        try (var service = new Service()) {
            var client = CallTests.client(partner, service.url()).build();
            for (var one : maps(json("sdks/conformance/streams.json").get("cases"))) {
                test("streams: " + string(one, "name"), () -> conforms(one, service.reply(replies(one)), client));
            }
            test("a stream ends when it is closed in its loop, and when its thread is interrupted", () -> {
                service.reply(List.of(streamed(written(Map.of("begin", "1")))));
                var stream = client.streamEvents(OWN, null);
                for (var one : stream) {
                    same("1", one.place());
                    stream.close();
                }
                Thread.currentThread().interrupt();
                same(false, client.streamEvents(OWN, null).iterator().hasNext());
                same(true, Thread.interrupted());
            });
        }
        test("a stream that waits ends when another thread closes it, and its connection with it", () -> closes(partner));
    }

    private static void conforms(Map<String, Object> one, Service service, Client client) {
        var wanted = ((List<?>) one.get("taken")).stream().map(pair -> new ArrayList<Object>((List<?>) pair)).toList();
        var taken = new ArrayList<List<Object>>();
        var error = map(one.get("error"));
        try (var stream = client.streamEvents(OWN, string(one, "after"))) {
            for (var streamed : stream) {
                taken.add(Arrays.asList(streamed.place(), streamed.event() == null ? null : streamed.event().eventId()));
                if (error.isEmpty() && taken.size() == wanted.size()) {
                    break;
                }
            }
            same(Map.of(), error);
        } catch (ApiException | NoAnswerException | IllegalStateException ended) {
            same(KINDS.get(string(error, "kind")), ended.getClass());
            same(true, ended.getMessage().contains(error.containsKey("says") ? string(error, "says") : ""));
            same(string(error, "code"), ended instanceof ApiException refused ? refused.code() : null);
        }
        same(wanted, taken);
        same(one.get("asked"), service.sent.stream().map(sent -> sent.get("target")).toList());
        service.check();
    }

    private static List<Map<String, Object>> replies(Map<String, Object> one) {
        return maps(one.get("responses")).stream()
            .map(given -> given.get("messages") == null ? given : streamed(maps(given.get("messages")).stream().map(StreamTests::written).collect(Collectors.joining())))
            .toList();
    }

    private static Map<String, Object> streamed(String text) {
        return Map.of("status", new BigDecimal(200), "headers", Map.of("Content-Type", "text/event-stream"), "text", text, "withoutLength", true);
    }

    /** A message as the service writes it. */
    private static String written(Map<String, Object> given) {
        if (given.containsKey("begin")) {
            return "retry: 500\n\n:\n\nid: " + given.get("begin") + "\n\n";
        }
        var eventId = "e-" + given.get("event");
        var type = given.getOrDefault("type", "payment.completed");
        var body = ("{\"schemaVersion\":1,\"eventId\":\"%s\",\"type\":\"%s\",\"aggregateVersion\":1,\"createdAt\":\"2026-11-20T10:00:00.000Z\","
            + "\"data\":{\"orderId\":\"p-1\"}}").formatted(eventId, type);
        var signedAt = Instant.now().minusSeconds(given.get("ageSeconds") instanceof BigDecimal age ? age.longValue() : 0);
        var key = KEYS.get(given.getOrDefault("key", "k1"));
        var headers = Callbacks.signedHeaders(body.getBytes(StandardCharsets.UTF_8), List.of(key), signedAt);
        var data = new LinkedHashMap<String, Object>(Map.of("headers", headers, "body", body));
        var text = "id: %s\nevent: %s\ndata: %s\n\n".formatted(given.get("event"), type, Json.write(data));
        return given.get("cutAfter") instanceof BigDecimal length ? text.substring(0, length.intValue()) : text;
    }

    /** Often: the client's own end of a request may come before ours. */
    private static void closes(Map<String, Object> partner) throws Exception {
        for (var time = 0; time < 50; time++) {
            closesOnce(partner);
        }
    }

    private static void closesOnce(Map<String, Object> partner) throws Exception {
        try (var server = new ServerSocket(0)) {
            var stream = CallTests.client(partner, "http://127.0.0.1:" + server.getLocalPort()).build().streamEvents(OWN, null);
            var loop = CompletableFuture.runAsync(() -> stream.forEach(one -> {}));
            try (var socket = server.accept()) {
                var head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + written(Map.of("begin", "1"));
                socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                stream.close();
                loop.get();
                socket.setSoTimeout(60_000);
                try (var input = socket.getInputStream()) {
                    input.readAllBytes(); // Until the client closes.
                } catch (SocketException reset) {
                    // It is closed, too.
                }
            }
        }
    }
}
