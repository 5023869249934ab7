package pay.sdk;

/**
 * An attempt got no response, or one that is not from the service, and no later one decided: the outcome is unknown. Call again later with the same body
 * and this key.
 *
 * @serial exclude
 */
public final class NoAnswerException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String idempotencyKey;

    NoAnswerException(Throwable cause, String idempotencyKey) {
        super("no answer from the service: " + (cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage()), cause);
        this.idempotencyKey = idempotencyKey;
    }

    /** {@return what to pass again to repeat the same request; null for a request that has none} */
    public String idempotencyKey() {
        return idempotencyKey;
    }
}
