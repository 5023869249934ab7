package pay.sdk;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;

/**
 * The service refused the request. Nothing was done, unless {@link #code} says otherwise.
 *
 * @serial exclude
 */
public final class ApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * One invalid field or, in TEST, one reason for a 401.
     *
     * @param field the name of the field
     * @param message what is wrong with it
     * @serial exclude
     */
    public record Detail(String field, String message) implements Serializable {}

    private final int status;
    private final String code;
    private final List<Detail> details;
    private final String requestId;
    private final Instant nextChargeAt;
    private final Instant retryNotBefore;
    private final String paymentId;
    private final String refundId;
    private final Integer retryAfterSeconds;
    private final String idempotencyKey;
    private final String body;

    ApiException(int status, String body, Map<String, Object> members, String requestId, Instant date, Integer retryAfterSeconds, String idempotencyKey) {
        super(sentence(status, members) + (status == 401 && date != null ? clockFault(date) : ""));
        this.status = status;
        this.body = body;
        // Also a code that this version does not know: a newer service may send it.
        this.code = String.valueOf(text(members, "code")).matches("[A-Z][A-Z_]+") ? text(members, "code") : "UNREADABLE";
        this.details = details(members);
        this.requestId = text(members, "requestId") == null ? requestId : text(members, "requestId");
        this.nextChargeAt = moment(members, "nextChargeAt");
        this.retryNotBefore = moment(members, "retryNotBefore");
        this.paymentId = text(members, "paymentId");
        this.refundId = text(members, "refundId");
        this.retryAfterSeconds = retryAfterSeconds;
        this.idempotencyKey = idempotencyKey;
    }

    /** {@return the HTTP status} */
    public int status() {
        return status;
    }

    /** {@return what to branch on; {@code UNREADABLE} if the body is not from the service: a proxy in between responded} */
    public String code() {
        return code;
    }

    /** {@return the invalid fields or, in TEST, the reasons for a 401} */
    public List<Detail> details() {
        return details;
    }

    /** {@return what to quote when you contact support; null if there is none} */
    public String requestId() {
        return requestId;
    }

    /** {@return with PERIOD_NOT_ELAPSED, the earliest time of the next charge} */
    public Instant nextChargeAt() {
        return nextChargeAt;
    }

    /** {@return with RETRY_NOT_ALLOWED, the earliest time of the next attempt; null: never with this card} */
    public Instant retryNotBefore() {
        return retryNotBefore;
    }

    /** {@return with DUPLICATE_ORDER, your payment that already uses the number; with PREVIOUS_CHARGE_NOT_FINISHED, the open charge} */
    public String paymentId() {
        return paymentId;
    }

    /** {@return with DUPLICATE_ORDER for a refund, your refund that already uses the number} */
    public String refundId() {
        return refundId;
    }

    /** {@return how long the server asked to wait; null if it did not} */
    public Integer retryAfterSeconds() {
        return retryAfterSeconds;
    }

    /** {@return what to pass again to repeat the same request} */
    public String idempotencyKey() {
        return idempotencyKey;
    }

    /** {@return the body as received} */
    public String body() {
        return body;
    }

    private static String sentence(int status, Map<String, Object> members) {
        var sentence = new StringBuilder(text(members, "error") == null ? "HTTP status " + status : text(members, "error"));
        details(members).forEach(one -> sentence.append("; ").append(one.field()).append(": ").append(one.message()));
        return sentence.toString();
    }

    /** What to say if the service's clock and ours differ by more than the 300 seconds that they may. */
    private static String clockFault(Instant date) {
        var behind = Duration.between(Instant.now(), date).toSeconds();
        return Math.abs(behind) <= 300
            ? ""
            : "; the clock of this machine is " + Math.abs(behind) + " s " + (behind > 0 ? "behind" : "ahead of") + " the service's";
    }

    private static List<Detail> details(Map<String, Object> members) {
        if (!(members.get("details") instanceof List<?> list)) {
            return List.of();
        }
        return list.stream()
            .filter(Map.class::isInstance)
            .map(one -> Json.named((Map<?, ?>) one))
            .map(one -> new Detail(String.valueOf(one.get("field")), String.valueOf(one.get("message"))))
            .toList();
    }

    private static String text(Map<String, Object> members, String name) {
        return members.get(name) instanceof String text ? text : null;
    }

    private static Instant moment(Map<String, Object> members, String name) {
        try {
            return text(members, name) == null ? null : Instant.parse(text(members, name));
        } catch (DateTimeParseException unreadable) {
            return null;
        }
    }
}
