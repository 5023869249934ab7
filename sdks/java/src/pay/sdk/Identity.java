package pay.sdk;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.stream.Collectors;

/** Who signs, and the signature of a request: docs/partners/signing.md. */
public final class Identity {
    private static final byte[] PROBE = "one pair".getBytes(StandardCharsets.US_ASCII);
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String partnerID;
    private final String publicKey;
    private final PrivateKey privateKey;

    /**
     * Reads the keys, and checks that they are a pair.
     *
     * @param partnerID as issued
     * @param publicKey the OpenSSH line, as registered
     * @param privateKeyPem an Ed25519 key as PKCS#8 PEM, or in OpenSSH's own format, without a passphrase
     * @throws IllegalArgumentException that says what a text is and what to give instead, or that the keys do not match
     */
    public Identity(String partnerID, String publicKey, String privateKeyPem) {
        this.partnerID = partnerID;
        var secret = KeyText.secret(privateKeyPem);
        this.publicKey = KeyText.publicLine(publicKey);
        try {
            var keys = KeyFactory.getInstance("Ed25519");
            this.privateKey = keys.generatePrivate(new PKCS8EncodedKeySpec(KeyText.pkcs8(secret)));
            var pair = Signature.getInstance("Ed25519");
            pair.initVerify(keys.generatePublic(new X509EncodedKeySpec(KeyText.spki(this.publicKey))));
            pair.update(PROBE);
            if (!pair.verify(signed(privateKey, PROBE))) {
                throw new IllegalArgumentException(KeyText.NO_PAIR);
            }
        } catch (GeneralSecurityException error) {
            throw new IllegalArgumentException(KeyText.NO_PAIR, error);
        }
    }

    /**
     * Signs one attempt, now and with a new nonce.
     *
     * @param method the method
     * @param target the path with its query
     * @param idempotencyKey empty if there is none
     * @param body the bytes that are sent
     * @return the value of the Authorization header
     */
    public String sign(String method, String target, String idempotencyKey, byte[] body) {
        var nonce = new byte[16];
        RANDOM.nextBytes(nonce);
        var timestamp = Long.toString(System.currentTimeMillis() / 1000);
        return sign(method, target, idempotencyKey, body, timestamp, HexFormat.of().formatHex(nonce));
    }

    String sign(String method, String target, String idempotencyKey, byte[] body, String timestamp, String nonce) {
        var canonical = canonical(timestamp, nonce, method, target, idempotencyKey, body);
        var members = new LinkedHashMap<String, Object>();
        members.put("partnerID", partnerID);
        members.put("key", publicKey);
        members.put("sign", Base64.getEncoder().encodeToString(signed(privateKey, canonical.getBytes(StandardCharsets.ISO_8859_1))));
        members.put("timestamp", timestamp);
        members.put("nonce", nonce);
        return Json.write(members);
    }

    /** The seven signed parts, joined by line feeds, with none at the end. */
    static String canonical(String timestamp, String nonce, String method, String target, String idempotencyKey, byte[] body) {
        var at = target.indexOf('?');
        var path = at < 0 ? target : target.substring(0, at);
        var query = canonicalQuery(at < 0 ? "" : target.substring(at + 1));
        return String.join("\n", timestamp, nonce, method.toUpperCase(Locale.ROOT), path, query, idempotencyKey, sha256(body));
    }

    /** Names and values decoded, encoded again by RFC 3986 and sorted by encoded name. */
    static String canonicalQuery(String query) {
        return Arrays.stream(query.split("&"))
            .filter(piece -> !piece.isEmpty())
            .map(piece -> piece.split("=", 2))
            .map(pair -> new String[] {again(pair[0]), pair.length < 2 ? "" : again(pair[1])})
            .sorted(Comparator.<String[], String>comparing(pair -> pair[0]).thenComparing(pair -> pair[1]))
            .map(pair -> pair[0] + "=" + pair[1])
            .collect(Collectors.joining("&"));
    }

    /** One byte is one character, so that bytes that are not UTF-8 stay what they are. */
    private static String again(String text) {
        var bytes = URLDecoder.decode(text, StandardCharsets.ISO_8859_1).getBytes(StandardCharsets.ISO_8859_1);
        var out = new StringBuilder();
        for (var one : bytes) {
            var isPlain = (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || (one >= '0' && one <= '9') || "-._~".indexOf(one) >= 0;
            out.append(isPlain ? String.valueOf((char) one) : String.format("%%%02X", one));
        }
        return out.toString();
    }

    private static byte[] signed(PrivateKey key, byte[] bytes) {
        try {
            var signature = Signature.getInstance("Ed25519");
            signature.initSign(key);
            signature.update(bytes);
            return signature.sign();
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }
}
