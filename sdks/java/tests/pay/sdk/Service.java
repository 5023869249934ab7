package pay.sdk;

import static pay.sdk.Checks.map;
import static pay.sdk.Checks.same;
import static pay.sdk.Checks.string;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** The service's side: checks signatures, and replies as told; the last reply repeats. */
final class Service implements AutoCloseable {
    final List<Map<String, Object>> sent = new ArrayList<>();
    final List<String> nonces = new ArrayList<>();
    final List<String> keys = new ArrayList<>();
    private final HttpServer server;
    private final List<Map<String, Object>> replies = new ArrayList<>();
    private Throwable fault;

    Service() throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true"); // Otherwise each response waits 40 ms.
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    Service reply(List<Map<String, Object>> all) {
        List.of(sent, nonces, keys, replies).forEach(List::clear);
        replies.addAll(all);
        return this;
    }

    /** @throws AssertionError if a request was not signed as it must be */
    void check() {
        if (fault != null) {
            throw new AssertionError(fault);
        }
        same((long) nonces.size(), nonces.stream().distinct().count());
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private synchronized void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            var body = exchange.getRequestBody().readAllBytes();
            note(exchange, body);
            var reply = replies.size() > 1 ? replies.remove(0) : replies.get(0);
            if (Boolean.TRUE.equals(reply.get("cut"))) {
                return;
            }
            map(reply.get("headers")).forEach((name, value) -> exchange.getResponseHeaders().set(name, (String) value));
            var text = reply.get("text") instanceof String given ? given.getBytes(StandardCharsets.UTF_8) : new byte[0];
            var length = reply.get("cutAfter") instanceof BigDecimal more ? text.length + more.intValue() : text.length;
            exchange.sendResponseHeaders(((BigDecimal) reply.get("status")).intValue(), length == 0 ? -1 : length);
            exchange.getResponseBody().write(text);
        }
    }

    private void note(HttpExchange exchange, byte[] body) {
        var target = exchange.getRequestURI().toString();
        var key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        var given = Json.readObject(exchange.getRequestHeaders().getFirst("Authorization").getBytes(StandardCharsets.UTF_8));
        var method = exchange.getRequestMethod();
        var canonical = Identity.canonical(string(given, "timestamp"), string(given, "nonce"), method, target, key == null ? "" : key, body);
        try {
            same(true, isSigned(given, canonical));
            same(method.equals("POST"), key != null && key.length() >= 16);
        } catch (GeneralSecurityException | AssertionError wrong) {
            fault = wrong;
        }
        nonces.add(string(given, "nonce"));
        keys.add(String.valueOf(key));
        sent.add(Map.of("method", method, "target", target, "body", new String(body, StandardCharsets.UTF_8)));
    }

    private static boolean isSigned(Map<String, Object> given, String canonical) throws GeneralSecurityException {
        var blob = Base64.getDecoder().decode(string(given, "key").split(" ")[1]);
        var der = new byte[44];
        System.arraycopy(HexFormat.of().parseHex("302a300506032b6570032100"), 0, der, 0, 12);
        System.arraycopy(Arrays.copyOfRange(blob, 19, 51), 0, der, 12, 32);
        var signature = Signature.getInstance("Ed25519");
        signature.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(der)));
        signature.update(canonical.getBytes(StandardCharsets.ISO_8859_1));
        return signature.verify(Base64.getDecoder().decode(string(given, "sign")));
    }
}
