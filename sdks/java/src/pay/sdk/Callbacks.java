package pay.sdk;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verification of callbacks: docs/partners/callbacks.md. */
public final class Callbacks {
    /** How far the time of signing may be off. */
    public static final Duration TOLERANCE = Duration.ofMinutes(5);

    /** The most entries of X-Service-Signature that are read: the service sends one, two during a rotation. */
    private static final int SIGNATURES_MAX = 8;

    private Callbacks() {}

    /**
     * The event of a callback: freshness is checked, then the signature over the exact bytes, then the envelope. Event types unknown to this version are
     * verified like any other.
     *
     * @param rawBody the body as received, before any parser
     * @param header returns a header by its name in any case, or null
     * @param keys two during a rotation
     * @param now the time
     * @return the event
     * @throws CallbackRefusedException if it is not authentic, or not an event
     */
    public static PartnerEvent verify(byte[] rawBody, UnaryOperator<String> header, Collection<CallbackKey> keys, Instant now)
        throws CallbackRefusedException {
        var timestamp = header.apply("X-Service-Timestamp");
        if (timestamp == null || !timestamp.matches("[0-9]{1,12}")) {
            throw new CallbackRefusedException("unsigned", "X-Service-Timestamp is not a Unix time in seconds");
        }
        var signature = header.apply("X-Service-Signature");
        if (signature == null) {
            throw new CallbackRefusedException("unsigned", "X-Service-Signature is missing");
        }
        var off = Duration.between(Instant.ofEpochSecond(Long.parseLong(timestamp)), now).abs();
        if (off.compareTo(TOLERANCE) > 0) {
            throw new CallbackRefusedException("stale", "the timestamp is " + off.toSeconds() + " s off, more than " + TOLERANCE.toSeconds());
        }
        var entries = Arrays.stream(signature.split(",", SIGNATURES_MAX + 1)).limit(SIGNATURES_MAX).map(String::strip).toList();
        var named = entries.stream().map(entry -> entry.split(":", 2)[0]).toList();
        var known = keys.stream().filter(key -> named.contains(key.keyId())).toList();
        if (known.isEmpty()) {
            throw new CallbackRefusedException("unknown key", "signed with unknown keys: " + String.join(", ", named));
        }
        if (known.stream().noneMatch(key -> isSigned(entries, entry(key, timestamp, rawBody)))) {
            throw new CallbackRefusedException("bad signature", "the signature does not match the body: was it parsed or rewritten?");
        }
        return event(rawBody, header.apply("X-Service-Event-ID"));
    }

    /**
     * The headers that the service would send, for tests of your receiver.
     *
     * @param rawBody the body
     * @param keys those that sign
     * @param now the time of signing
     * @return the headers by name
     */
    public static Map<String, String> signedHeaders(byte[] rawBody, Collection<CallbackKey> keys, Instant now) {
        var timestamp = Long.toString(now.getEpochSecond());
        var members = Json.readObject(rawBody);
        var headers = new LinkedHashMap<String, String>();
        headers.put("X-Service-Timestamp", timestamp);
        headers.put("X-Service-Signature", keys.stream().map(key -> entry(key, timestamp, rawBody)).collect(Collectors.joining(",")));
        headers.put("X-Service-Event-ID", members != null && members.get("eventId") instanceof String id ? id : "");
        return headers;
    }

    /** What an event is about: a payment, a binding or a payout request; of an unknown kind, itself. */
    static String aggregateOf(PartnerEvent event) {
        var data = Wire.members((Record) event).get("data");
        var members = data instanceof Map<?, ?> map ? Json.named(map) : Wire.members((Record) data);
        for (var kind : List.of(List.of("orderId", "payment"), List.of("bindingId", "binding"), List.of("withdrawalRequestId", "withdrawal"))) {
            if (members.get(kind.get(0)) instanceof String id) {
                return kind.get(1) + ":" + id;
            }
        }
        return event.eventId();
    }

    private static boolean isSigned(List<String> entries, String expected) {
        var isSigned = false;
        for (var entry : entries) {
            isSigned |= MessageDigest.isEqual(expected.getBytes(StandardCharsets.UTF_8), entry.getBytes(StandardCharsets.UTF_8));
        }
        return isSigned;
    }

    private static String entry(CallbackKey key, String timestamp, byte[] rawBody) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key.bytes(), "HmacSHA256"));
            mac.update((timestamp + ".").getBytes(StandardCharsets.US_ASCII));
            return key.keyId() + ":v1=" + HexFormat.of().formatHex(mac.doFinal(rawBody));
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }

    private static PartnerEvent event(byte[] rawBody, String eventId) throws CallbackRefusedException {
        var members = Json.readObject(rawBody);
        var isEvent = members != null
            && BigDecimal.ONE.equals(members.get("schemaVersion"))
            && members.get("eventId") instanceof String id
            && id.equals(eventId)
            && members.get("type") instanceof String
            && members.get("aggregateVersion") instanceof BigDecimal
            && members.get("createdAt") instanceof String
            && members.get("data") instanceof Map<?, ?>;
        if (isEvent) {
            try {
                return Wire.record(PartnerEvent.recordOf((String) members.get("type")), members);
            } catch (IllegalArgumentException wrongType) {
                throw new CallbackRefusedException("malformed", "the signed body has a member of another type: " + wrongType.getMessage());
            }
        }
        throw new CallbackRefusedException("malformed", "the signed body is not an event of schemaVersion 1");
    }
}
