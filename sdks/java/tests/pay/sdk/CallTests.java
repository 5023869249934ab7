package pay.sdk;

import static pay.sdk.Checks.json;
import static pay.sdk.Checks.map;
import static pay.sdk.Checks.maps;
import static pay.sdk.Checks.same;
import static pay.sdk.Checks.string;
import static pay.sdk.Checks.test;
import static pay.sdk.Checks.thrown;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.net.ServerSocket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import pay.sdk.Records.NewQrPayment;
import pay.sdk.Records.NewRefund;

/** Calls: the cases that every SDK passes, and what only Java can get wrong. */
final class CallTests {
    private static final Map<String, Class<? extends Throwable>> KINDS =
        Map.of("refused", ApiException.class, "no answer", NoAnswerException.class, "invalid", IllegalArgumentException.class);

    private CallTests() {}

    static void run(Map<String, Object> partner) throws Exception {
        try (var service = new Service()) {
            var client = client(partner, service.url()).build();
            var waits = json("sdks/conformance/retry-after.json");
            for (var one : maps(waits.get("cases"))) {
                test("reads a Retry-After: " + string(one, "name") + " (K2)", () -> {
                    var lines = ((List<?>) one.get("values")).stream().map(String.class::cast).toList();
                    var seconds = RetryAfter.seconds(lines, Instant.parse(string(waits, "now")));
                    same(one.get("seconds") == null ? null : ((Number) one.get("seconds")).intValue(), seconds);
                });
            }
            for (var one : maps(json("sdks/conformance/calls.json").get("cases"))) {
                test(string(one, "name"), () -> conforms(one, service.reply(maps(one.get("replies"))), client));
            }
            test("a decimal is sent with two digits, and refused with more", () -> {
                service.reply(List.of(ok("{\"amount\":10.10,\"id\":\"x\"}")));
                for (var amount : List.of("10.5", "1E+2", "0.10", "10")) {
                    same("10.10", client.createQrPayment(NewQrPayment.builder().amount(new BigDecimal(amount)).build()).amount().toPlainString());
                }
                for (var amount : List.of("10.505", "10.500", "-1")) {
                    var wrong = NewQrPayment.builder().amount(new BigDecimal(amount)).build();
                    thrown(IllegalArgumentException.class, () -> client.createQrPayment(wrong));
                }
                for (var amount : List.of("10.50 ", "10,50", ".5", "")) {
                    thrown(IllegalArgumentException.class, () -> NewQrPayment.builder().amount(amount));
                }
                var bodies = service.sent.stream().map(one -> one.get("body")).toList();
                same(List.of("10.50", "100.00", "0.10", "10.00").stream().map(one -> "{\"amount\":" + one + "}").toList(), bodies);
                client.refundQrPayment("p", NewRefund.builder().amount(new BigDecimal("10.5")).reason("\"no\"\n").build());
                same("{\"amount\":\"10.50\",\"reason\":\"\\\"no\\\"\\u000a\"}", service.sent.get(4).get("body"));
            });
            test("a response that is not from this API is none", () -> {
                var page = Map.<String, Object>of("status", new BigDecimal(200), "headers", Map.of("Content-Type", "text/html"), "text", "<html>");
                service.reply(List.of(page));
                for (var call : List.<Checks.Test>of(() -> client.readCardPayment("p"), () -> client.readRegisterCsv("2026-11-22"))) {
                    same(true, thrown(NoAnswerException.class, call).getMessage().contains("not from this API"));
                }
                for (var text : List.of("{\"items\":{}}", "{}", "{\"items\":[1],\"nextPageToken\":null}", "{\"items\":[],\"nextPageToken\":1}")) {
                    service.reply(List.of(ok(text)));
                    thrown(NoAnswerException.class, client::listEvents);
                }
                var file = Map.<String, Object>of("status", new BigDecimal(200), "headers", Map.of("Content-Type", "text/csv; charset=utf-8"), "text", "a\r\n");
                same("a\r\n", clientOf(service.reply(List.of(page, file)), partner).readRegisterCsv("2026-11-22"));
                same("/api/registers/RUB/2026-11-22?format=csv&part=1", service.sent.get(1).get("target"));
            });
            test("any other call is signed, and has the members of its response", () -> {
                service.reply(List.of(ok("{\"id\":\"x\",\"count\":2}")));
                same(Map.of("id", "x", "count", new BigDecimal(2)), client.request("POST", "/v2/new?a=%2F", Map.of("amount", new BigDecimal("1.5")), null));
                same("{\"amount\":\"1.50\"}", service.sent.get(0).get("body"));
                thrown(IllegalArgumentException.class, () -> client.request("POST", "/v2/new", Map.of("other", 1.5), null));
                service.check();
            });
            test("a page is read when its first item is asked for", () -> {
                service.reply(List.of(ok("{\"items\":[{\"eventId\":\"1\"}],\"nextPageToken\":\"t\"}"), ok("{\"items\":[],\"nextPageToken\":null}")));
                var all = ListPage.stream(token -> client.listEvents(Records.EventFilter.builder().pageToken(token).build()));
                same("1", all.findFirst().orElseThrow().eventId());
                same(1, service.sent.size());
            });
        }
        test("a GET whose connection is cut has a new nonce each time, and no more than four attempts", () -> cutGets(partner));
        test("a response that does not end is given up in time", () -> slow(partner));
        test("takes an origin only, and no HttpClient that follows redirects", () -> {
            for (var baseUrl : List.of("api.example", "https://api.example/v1", "https://me@api.example", "ftp://api.example")) {
                thrown(IllegalArgumentException.class, () -> client(partner, baseUrl).build());
            }
            var follows = HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
            thrown(IllegalArgumentException.class, () -> client(partner, "https://api.example").httpClient(follows).build());
        });
    }

    static Client.Builder client(Map<String, Object> partner, String baseUrl) {
        return Client.builder()
            .baseUrl(baseUrl)
            .partnerID(string(partner, "partnerID"))
            .publicKey(string(partner, "publicKeyOpenSsh"))
            .privateKeyPem(string(partner, "privateKeyPkcs8Pem"))
            .backoff(Duration.ZERO);
    }

    private static Client clientOf(Service service, Map<String, Object> partner) {
        return client(partner, service.url()).build();
    }

    private static Map<String, Object> ok(String text) {
        return Map.of("status", new BigDecimal(201), "text", text);
    }

    private static void conforms(Map<String, Object> one, Service service, Client client) throws Exception {
        if (one.get("error") == null) {
            var result = called(one, client);
            same(known(one.get("result"), result), shown(result));
        } else {
            var wanted = map(one.get("error"));
            var error = thrown(KINDS.get(string(wanted, "kind")), () -> called(one, client));
            for (var member : wanted.keySet()) {
                if (member.equals("says")) {
                    same(true, error.getMessage().contains(string(wanted, member)));
                } else if (!member.equals("kind")) {
                    same(shown(wanted.get(member)), shown(error.getClass().getMethod(member).invoke(error)));
                }
            }
        }
        same(maps(one.get("sent")).stream().map(CallTests::sorted).toList(), service.sent.stream().map(CallTests::sorted).toList());
        service.check();
        same(true, one.get("everyItem") != null || service.keys.stream().distinct().count() <= 1);
    }

    /** The order of a query means nothing: it is signed in the order of its names. */
    private static Map<String, Object> sorted(Map<String, Object> sent) {
        var parts = string(sent, "target").split("\\?", 2);
        var all = new LinkedHashMap<>(sent);
        all.put("target", parts.length < 2 ? parts[0] : parts[0] + Arrays.stream(parts[1].split("&")).sorted().toList());
        return all;
    }

    private static Object called(Map<String, Object> one, Client client) throws Exception {
        var given = new ArrayList<Object>((List<?>) one.get("arguments"));
        if (one.get("everyItem") != null) {
            return ListPage.stream(token -> {
                var filter = new LinkedHashMap<>(map(given.get(0)));
                filter.put("pageToken", token);
                return (ListPage<?>) invoked(client, string(one, "call"), List.of(filter));
            }).toList();
        }
        if (one.get("idempotencyKey") != null) {
            given.add(one.get("idempotencyKey"));
        }
        return invoked(client, string(one, "call"), given);
    }

    private static Object invoked(Client client, String name, List<?> given) {
        var method = Arrays.stream(Calls.class.getMethods())
            .filter(one -> one.getName().equals(name) && one.getParameterCount() == given.size())
            .findFirst()
            .orElseThrow();
        var values = new ArrayList<Object>();
        for (var type : method.getParameterTypes()) {
            var value = given.get(values.size());
            var own = value instanceof BigDecimal number ? (Object) number.intValueExact() : value;
            values.add(own instanceof Map<?, ?> members ? built(type, Json.named(members)) : own);
        }
        return invoke(method, client, values.toArray());
    }

    /** As a partner builds it: amounts from their text. */
    private static Object built(Class<?> type, Map<String, Object> members) {
        try {
            var builder = type.getMethod("builder").invoke(null);
            members.forEach((name, value) -> {
                if (value != null) {
                    var own = value instanceof BigDecimal number ? number.intValueExact() : value;
                    var setter = Arrays.stream(builder.getClass().getMethods())
                        .filter(one -> one.getName().equals(name) && one.getParameterTypes()[0] == own.getClass())
                        .findFirst()
                        .orElseThrow();
                    invoke(setter, builder, own);
                }
            });
            return invoke(builder.getClass().getMethod("build"), builder);
        } catch (ReflectiveOperationException error) {
            throw new AssertionError(error);
        }
    }

    private static Object invoke(Method method, Object target, Object... given) {
        try {
            return method.invoke(target, given);
        } catch (InvocationTargetException error) {
            if (error.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new AssertionError(error);
        } catch (IllegalAccessException error) {
            throw new AssertionError(error);
        }
    }

    /** What the record has of the wanted members: others are left out when it is read. */
    private static Object known(Object wanted, Object result) {
        if (!(result instanceof Record)) {
            return wanted;
        }
        var names = Arrays.stream(result.getClass().getRecordComponents()).map(one -> one.getName()).toList();
        var all = new LinkedHashMap<>(map(wanted));
        all.keySet().retainAll(names);
        all.values().removeIf(value -> value == null);
        return all;
    }

    private static Object shown(Object value) {
        if (value instanceof Record part) {
            var all = new LinkedHashMap<>(Wire.members(part));
            all.replaceAll((name, own) -> shown(own));
            return all;
        }
        if (value instanceof List<?> list) {
            return list.stream().map(CallTests::shown).toList();
        }
        if (value instanceof Instant moment) {
            return new DateTimeFormatterBuilder().appendInstant(3).toFormatter().format(moment);
        }
        return value instanceof Integer number ? new BigDecimal(number) : value;
    }

    private static void cutGets(Map<String, Object> partner) throws Exception {
        var nonces = new ArrayList<String>();
        try (var server = new ServerSocket(0)) {
            serve(() -> {
                try (var socket = server.accept()) {
                    var bytes = new byte[4096];
                    var length = socket.getInputStream().read(bytes);
                    if (length > 0) {
                        nonces.add(new String(bytes, 0, length, StandardCharsets.US_ASCII).replaceAll("(?s).*\"nonce\":\"(\\w+)\".*", "$1"));
                    }
                }
            });
            var client = client(partner, "http://127.0.0.1:" + server.getLocalPort()).build();
            thrown(NoAnswerException.class, () -> client.readCardPayment("p"));
            same(4, nonces.size());
            same(4L, nonces.stream().distinct().count());
        }
    }

    private static void slow(Map<String, Object> partner) throws Exception {
        try (var server = new ServerSocket(0)) {
            var accepted = new ArrayList<java.net.Socket>();
            serve(() -> {
                var socket = server.accept();
                accepted.add(socket);
                socket.getOutputStream().write("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{".getBytes(StandardCharsets.US_ASCII));
            });
            var client = client(partner, "http://127.0.0.1:" + server.getLocalPort()).timeout(Duration.ofMillis(50)).build();
            var start = System.nanoTime();
            same(true, thrown(NoAnswerException.class, () -> client.readCardPayment("p")).getMessage().contains("within 50 ms"));
            same(true, Duration.ofNanos(System.nanoTime() - start).compareTo(Duration.ofSeconds(10)) < 0);
            same(4, accepted.size());
        }
    }

    /** Answers each connection like this, until the server is closed. */
    private static void serve(Checks.Test connection) {
        var thread = new Thread(() -> {
            try {
                while (true) {
                    connection.run();
                }
            } catch (Exception closed) {
                // The test is over.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
