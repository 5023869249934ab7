package pay.sdk;

import java.util.Arrays;
import java.util.Base64;

/** A callback key as issued. During a rotation you have two. */
public final class CallbackKey {
    private final String keyId;
    private final byte[] bytes;

    /**
     * Decodes the secret.
     *
     * @param keyId its name
     * @param secret the base64 text
     * @throws IllegalArgumentException if it is not base64 of 32 bytes
     */
    public CallbackKey(String keyId, String secret) {
        this.keyId = keyId;
        this.bytes = decoded(secret);
        if (bytes.length != 32 || !Base64.getEncoder().encodeToString(bytes).equals(secret)) {
            throw new IllegalArgumentException("the secret of callback key " + keyId + " is not base64 of 32 bytes: pass it as it was issued");
        }
    }

    /** {@return its name} */
    public String keyId() {
        return keyId;
    }

    byte[] bytes() {
        return Arrays.copyOf(bytes, bytes.length);
    }

    private static byte[] decoded(String secret) {
        try {
            return Base64.getDecoder().decode(secret == null ? "" : secret);
        } catch (IllegalArgumentException notBase64) {
            return Wire.NOTHING;
        }
    }
}
