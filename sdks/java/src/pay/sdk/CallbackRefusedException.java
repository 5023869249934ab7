package pay.sdk;

/**
 * Not authentic, or not an event. Answer 400 if {@link #reason} is {@code malformed}, otherwise 401.
 *
 * @serial exclude
 */
public final class CallbackRefusedException extends Exception {
    private static final long serialVersionUID = 1;

    private final String reason;

    CallbackRefusedException(String reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** {@return {@code unsigned}, {@code stale}, {@code unknown key}, {@code bad signature} or {@code malformed}} */
    public String reason() {
        return reason;
    }
}
