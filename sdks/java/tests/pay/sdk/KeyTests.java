package pay.sdk;

import static pay.sdk.Checks.json;
import static pay.sdk.Checks.maps;
import static pay.sdk.Checks.same;
import static pay.sdk.Checks.string;
import static pay.sdk.Checks.test;
import static pay.sdk.Checks.thrown;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Keys, signatures and JSON. */
final class KeyTests {
    private KeyTests() {}

    static void run(Map<String, Object> partner) throws Exception {
        var id = string(partner, "partnerID");
        var publicKey = string(partner, "publicKeyOpenSsh");
        var pem = string(partner, "privateKeyPkcs8Pem");
        for (var one : maps(partner.get("cases"))) {
            test("signs: " + string(one, "name"), () -> {
                var body = string(one, "body").getBytes(StandardCharsets.UTF_8);
                var target = string(one, "target");
                var key = string(one, "idempotencyKey");
                var method = string(one, "method");
                var canonical = Identity.canonical(string(one, "timestamp"), string(one, "nonce"), method, target, key, body);
                same(string(one, "canonicalQuery"), Identity.canonicalQuery(target.contains("?") ? target.split("\\?", 2)[1] : ""));
                same(string(one, "canonical"), canonical);
                var signed = new Identity(id, publicKey, pem).sign(method, target, key, body, string(one, "timestamp"), string(one, "nonce"));
                same(one.get("sign"), Json.readObject(signed.getBytes(StandardCharsets.UTF_8)).get("sign"));
            });
        }
        test("takes a pair only, and says what is wrong with a key", () -> {
            thrown(IllegalArgumentException.class, () -> new Identity(id, publicKey.replace("AAAAI", "AAAAJ"), pem));
            var other = "ssh-ed25519 " + openSshLine(new byte[32]);
            same("publicKey and privateKeyPem do not match", thrown(IllegalArgumentException.class, () -> new Identity(id, other, pem)).getMessage());
            same(true, thrown(IllegalArgumentException.class, () -> new Identity(id, publicKey, "no key")).getMessage().contains("PKCS#8"));
            var encrypted = thrown(IllegalArgumentException.class, () -> new Identity(id, publicKey, openSsh("aes256-ctr", partner)));
            same(true, encrypted.getMessage().contains("ssh-keygen -p"));
            thrown(IllegalArgumentException.class, () -> new Identity(id, publicKey, openSsh("none", partner).replaceFirst("AAAA[\\s\\S]{40}", "AAAA")));
        });
        var files = Checks.map(json("sdks/conformance/calls.json").get("keyFiles"));
        for (var one : maps(files.get("cases"))) {
            test("takes key files with " + string(one, "name"), () -> {
                UnaryOperator<String> written = text -> string(one, "before") + text.replace("\n", string(one, "lineEnd")) + string(one, "after");
                for (var key : List.of(pem, openSsh("none", partner))) {
                    var signed = new Identity(id, written.apply(publicKey + "\n"), written.apply(key)).sign("GET", "/", "", new byte[0]);
                    same(publicKey, read(signed).get("key"));
                }
            });
        }
        test("reads JSON exactly, and refuses what two readers may take differently", () -> {
            same(Map.of("a", List.of("\u0416\n/", true)), read(" {\"a\" : [\"\\u0416\\n\\/\", true]} "));
            same("900719925474099.01", read("{\"a\":900719925474099.01}").get("a").toString());
            var deep = "[".repeat(70) + "]".repeat(70);
            for (var wrong : List.of("", "[]", "{\"a\":1,\"a\":1}", "{\"a\":01}", "{\"a\":1}x", "{\"a\":\"\t\"}", "{\"a\":\"\\x\"}", "{\"a\":NaN}", "{a:1}", "{\"a\":1,}",
                "{\"a\":" + deep + "}", "{\"a\":1e99999}", "{\"a\":\"\\u12", "{\"a\"")) {
                same(null, read(wrong));
            }
            same(null, Json.readObject(new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'}));
        });
    }

    private static Map<String, Object> read(String text) {
        return Json.readObject(text.getBytes(StandardCharsets.UTF_8));
    }

    /** As ssh-keygen writes the key of the vectors. */
    private static String openSsh(String cipher, Map<String, Object> partner) throws IOException {
        var seed = PrivateKeys.seedOf(string(partner, "privateKeyPkcs8Pem"));
        var blob = Base64.getDecoder().decode(string(partner, "publicKeyOpenSsh").split(" ")[1]);
        var publicKey = Arrays.copyOfRange(blob, 19, 51);
        var secret = Arrays.copyOf(seed, 64);
        System.arraycopy(publicKey, 0, secret, 32, 32);
        var inner = new ByteArrayOutputStream();
        var parts = new DataOutputStream(inner);
        parts.writeLong(0x0000000700000007L);
        for (var part : List.of("ssh-ed25519".getBytes(StandardCharsets.US_ASCII), publicKey, secret, "me@shop".getBytes(StandardCharsets.US_ASCII))) {
            parts.writeInt(part.length);
            parts.write(part);
        }
        var bytes = new ByteArrayOutputStream();
        var outer = new DataOutputStream(bytes);
        outer.write("openssh-key-v1\0".getBytes(StandardCharsets.US_ASCII));
        for (var part : List.of(cipher.getBytes(StandardCharsets.US_ASCII), "none".getBytes(StandardCharsets.US_ASCII), new byte[0])) {
            outer.writeInt(part.length);
            outer.write(part);
        }
        outer.writeInt(1);
        for (var part : List.of(blob, inner.toByteArray())) {
            outer.writeInt(part.length);
            outer.write(part);
        }
        var lines = Base64.getMimeEncoder(70, new byte[] {'\n'}).encodeToString(bytes.toByteArray());
        return "-----BEGIN OPENSSH PRIVATE KEY-----\n" + lines + "\n-----END OPENSSH PRIVATE KEY-----\n";
    }

    private static String openSshLine(byte[] key) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = new DataOutputStream(bytes);
        out.writeInt(11);
        out.writeBytes("ssh-ed25519");
        out.writeInt(32);
        out.write(key);
        return Base64.getEncoder().encodeToString(bytes.toByteArray());
    }
}
