package pay.sdk;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/** The 32 secret bytes of an Ed25519 key file. */
final class PrivateKeys {
    private static final byte[] PKCS8 = HexFormat.of().parseHex("302e020100300506032b657004220420");
    private static final byte[] OPENSSH = "openssh-key-v1\0".getBytes(StandardCharsets.US_ASCII);

    private PrivateKeys() {}

    /** Text of a file without spaces at its ends, and without the mark that some editors put before it. */
    static String trimmed(String text) {
        return (text.startsWith("\uFEFF") ? text.substring(1) : text).strip();
    }

    /** @throws IllegalArgumentException that says what is wrong with the key */
    static byte[] seedOf(String pem) {
        var text = trimmed(pem);
        if (text.startsWith("-----BEGIN ENCRYPTED PRIVATE KEY-----")) {
            throw new IllegalArgumentException("this PKCS#8 key is encrypted: `openssl pkcs8 -in FILE -out NEW` removes the passphrase");
        }
        if (text.startsWith("-----BEGIN OPENSSH PRIVATE KEY-----")) {
            return openSsh(decoded(text));
        }
        var der = decoded(text);
        if (der.length != 48 || !Arrays.equals(PKCS8, 0, 16, der, 0, 16)) {
            throw new IllegalArgumentException("privateKeyPem is not an Ed25519 key as PKCS#8 PEM or in the format of OpenSSH");
        }
        return Arrays.copyOfRange(der, 16, 48);
    }

    private static byte[] decoded(String pem) {
        try {
            return Base64.getDecoder().decode(pem.replaceAll("-----[^-]+-----|\\s+", ""));
        } catch (IllegalArgumentException notBase64) {
            return Wire.NOTHING;
        }
    }

    /** Source: OpenSSH, PROTOCOL.key. */
    private static byte[] openSsh(byte[] blob) {
        try {
            if (!Arrays.equals(OPENSSH, 0, OPENSSH.length, blob, 0, OPENSSH.length)) {
                throw corrupt();
            }
            var outer = ByteBuffer.wrap(blob).position(OPENSSH.length);
            if (!text(outer).equals("none")) {
                throw new IllegalArgumentException("this OpenSSH key is encrypted: `ssh-keygen -p -N \"\" -f COPY` removes the passphrase of a copy");
            }
            next(outer); // The key derivation function and its options: none.
            next(outer);
            if (outer.getInt() != 1) {
                throw corrupt();
            }
            next(outer); // The public key, which is repeated below.
            var inner = ByteBuffer.wrap(next(outer));
            if (inner.getInt() != inner.getInt()) {
                throw corrupt();
            }
            var type = text(inner);
            if (!type.equals("ssh-ed25519")) {
                throw new IllegalArgumentException("this is a key of type " + type + "; the API accepts ssh-ed25519 only");
            }
            var publicKey = next(inner);
            var secret = next(inner);
            if (secret.length != 64 || !Arrays.equals(secret, 32, 64, publicKey, 0, publicKey.length)) {
                throw corrupt();
            }
            return Arrays.copyOf(secret, 32);
        } catch (BufferUnderflowException | IndexOutOfBoundsException truncated) {
            throw corrupt();
        }
    }

    private static IllegalArgumentException corrupt() {
        return new IllegalArgumentException("this OpenSSH key is corrupt");
    }

    private static String text(ByteBuffer bytes) {
        return new String(next(bytes), StandardCharsets.ISO_8859_1);
    }

    /** A string of SSH's wire format: its length, and its bytes. */
    private static byte[] next(ByteBuffer bytes) {
        var length = bytes.getInt();
        if (length < 0 || length > bytes.remaining()) {
            throw corrupt();
        }
        var next = new byte[length];
        bytes.get(next);
        return next;
    }
}
