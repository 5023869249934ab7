package pay.sdk;

import static pay.sdk.Checks.json;
import static pay.sdk.Checks.maps;
import static pay.sdk.Checks.same;
import static pay.sdk.Checks.string;
import static pay.sdk.Checks.test;
import static pay.sdk.Checks.thrown;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

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
        var texts = json("sdks/conformance/keys.json");
        var sentences = Checks.map(texts.get("sentences"));
        for (var half : List.of("private", "public")) {
            for (var one : maps(texts.get(half))) {
                test("reads the text of a key, " + half + ": " + string(one, "name") + " (K5)", () -> {
                    var text = string(one, "text");
                    Supplier<Identity> read = () -> half.equals("private") ? new Identity(id, publicKey, text) : new Identity(id, text, pem);
                    if (one.get("says") == null) {
                        same(publicKey, read(read.get().sign("GET", "/", "", new byte[0])).get("key"));
                    } else {
                        same(Checks.map(sentences.get(half)).get(string(one, "says")), thrown(IllegalArgumentException.class, read::get).getMessage());
                    }
                });
            }
        }
        test("says that the keys are no pair (K5)", () -> {
            var other = publicKey.substring(0, publicKey.length() - 8) + "AAAAAAAA";
            same(sentences.get("noPair"), thrown(IllegalArgumentException.class, () -> new Identity(id, other, pem)).getMessage());
            same("the public key is empty", thrown(IllegalArgumentException.class, () -> new Identity(id, null, pem)).getMessage().split(":")[0]);
        });
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
}
