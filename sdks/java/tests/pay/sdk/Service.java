package pay.sdk;

import static pay.sdk.Checks.map;
import static pay.sdk.Checks.same;
import static pay.sdk.Checks.string;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
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
import java.util.TreeMap;

/** The service's side: checks signatures, and replies as told; the last reply repeats. */
final class Service implements AutoCloseable {
    final List<Map<String, Object>> sent = new ArrayList<>();
    final List<String> nonces = new ArrayList<>();
    final List<String> keys = new ArrayList<>();
    private final ServerSocket server = new ServerSocket(0);
    private final List<Map<String, Object>> replies = new ArrayList<>();
    private Throwable fault;

    Service() throws IOException {
        var thread = new Thread(this::accept);
        thread.setDaemon(true);
        thread.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getLocalPort();
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
    public void close() throws IOException {
        server.close();
    }

    private void accept() {
        while (!server.isClosed()) {
            try (var socket = server.accept()) {
                answer(socket);
            } catch (IOException closed) {
                // By the client, or by the end of the test.
            }
        }
    }

    /** One request of a connection. The JDK's own server writes its own date, and does not cut. */
    private void answer(Socket socket) throws IOException {
        var input = socket.getInputStream();
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            var one = input.read();
            if (one < 0) {
                return;
            }
            head.append((char) one);
        }
        var lines = head.toString().split("\r\n");
        var headers = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        for (var line : Arrays.asList(lines).subList(1, lines.length)) {
            headers.put(line.split(": ", 2)[0], line.split(": ", 2)[1]);
        }
        note(lines[0].split(" ")[0], lines[0].split(" ")[1], headers, input.readNBytes(Integer.parseInt(headers.getOrDefault("Content-Length", "0"))));
        var reply = replies.size() > 1 ? replies.remove(0) : replies.get(0);
        if (Boolean.TRUE.equals(reply.get("cut"))) {
            return;
        }
        var text = reply.get("text") instanceof String given ? given.getBytes(StandardCharsets.UTF_8) : new byte[0];
        var answer = new StringBuilder("HTTP/1.1 " + reply.get("status") + " Some\r\nConnection: close\r\n");
        if (!Boolean.TRUE.equals(reply.get("withoutLength"))) {
            answer.append("Content-Length: ").append(text.length).append("\r\n");
        }
        map(reply.get("headers")).forEach((name, value) -> answer.append(name).append(": ").append(value).append("\r\n"));
        socket.getOutputStream().write((answer + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().write(text);
    }

    private void note(String method, String target, Map<String, String> headers, byte[] body) {
        var key = headers.get("Idempotency-Key");
        var given = Json.readObject(headers.get("Authorization").getBytes(StandardCharsets.UTF_8));
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
