package pay.sdk;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/** Keys as people paste them. What is taken, and what each refusal says, is sdks/conformance/keys.json. */
final class KeyText {
    /** Both keys are readable. */
    static final String NO_PAIR = "the public and the private key do not match: give the two of one pair";

    private static final String TYPE = "ssh-ed25519";
    /** DER of an Ed25519 key, up to its 32 bytes. The length of PKCS#8 and its version may differ. Source: RFC 8410 and 5958. */
    private static final byte[] PKCS8 = HexFormat.of().parseHex("302e020100300506032b657004220420");
    private static final byte[] SPKI = HexFormat.of().parseHex("302a300506032b6570032100");
    /** The blob of an OpenSSH line, up to its 32 bytes. Source: RFC 8709, section 4. */
    private static final byte[] BLOB = "\0\0\0\013ssh-ed25519\0\0\0 ".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OPENSSH = "openssh-key-v1\0".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern OPENSSH_TYPE = Pattern.compile("^(?:ssh-(?:ed25519|rsa|dss)|ecdsa-sha2-|sk-(?:ssh|ecdsa)-)");
    private static final Pattern BEGIN = Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----");
    private static final String BLANKS = " \\t\\r\\n\\f\\x0b";
    private static final String MAKE = "make one with `pay keys generate` or `openssl genpkey -algorithm ed25519`";
    private static final String ENCRYPTED =
        "the private key is encrypted: remove the passphrase of a copy with `openssl pkey -in COPY -out NEW` or `ssh-keygen -p -N \"\" -f COPY`";

    private enum Half {
        PRIVATE("private", "give the whole text of the private key file, from BEGIN to END"),
        PUBLIC("public", "give the whole line that begins with ssh-ed25519");

        private final String word;
        private final String give;

        Half(String word, String give) {
            this.word = word;
            this.give = give;
        }

        private IllegalArgumentException empty() {
            return new IllegalArgumentException("the " + word + " key is empty: " + give);
        }

        private IllegalArgumentException given(Half other) {
            return new IllegalArgumentException("this is a " + other.word + " key, not the " + word + " one: " + give);
        }

        private IllegalArgumentException bare() {
            return new IllegalArgumentException("the " + word + " key has lost its frame: " + give);
        }

        private IllegalArgumentException cut() {
            return new IllegalArgumentException("the " + word + " key is cut or damaged: " + give);
        }

        private IllegalArgumentException none() {
            return new IllegalArgumentException("this is no " + word + " key: " + give);
        }

        private IllegalArgumentException otherAlgorithm() {
            return new IllegalArgumentException("the " + word + " key is not an Ed25519 key: " + MAKE);
        }

        /** Why a text without the frame of a key is none. */
        private IllegalArgumentException unframed(String text, List<String> words) {
            if (words.isEmpty()) {
                return empty();
            }
            if (text.contains("-----BEGIN ") || text.contains("-----END ")) {
                return cut();
            }
            return String.join("", words).matches("[A-Za-z0-9+/]{43,}={0,2}") ? bare() : none();
        }
    }

    private KeyText() {}

    /**
     * The 32 secret bytes of a private key: PKCS#8 PEM, or OpenSSH's own format. Text around it is left out; a line feed may be written as a backslash and
     * an n.
     *
     * @throws IllegalArgumentException with the sentence for whoever pasted it
     */
    static byte[] secret(String given) {
        var text = plain(given);
        var block = Block.of(text);
        if (block == null) {
            var words = words(text);
            for (var at = 0; at + 1 < words.size(); at++) {
                if (OPENSSH_TYPE.matcher(words.get(at)).find() && words.get(at + 1).startsWith("AAAA")) {
                    throw Half.PRIVATE.given(Half.PUBLIC);
                }
            }
            throw Half.PRIVATE.unframed(text, words);
        }
        var label = block.label;
        if (label.equals("ENCRYPTED PRIVATE KEY")) {
            throw new IllegalArgumentException(ENCRYPTED);
        }
        if (label.endsWith("PUBLIC KEY")) {
            throw Half.PRIVATE.given(Half.PUBLIC);
        }
        if (!label.endsWith("PRIVATE KEY")) {
            throw Half.PRIVATE.none();
        }
        var isOpenSsh = label.equals("OPENSSH PRIVATE KEY");
        if (!isOpenSsh && !label.equals("PRIVATE KEY")) {
            throw Half.PRIVATE.otherAlgorithm();
        }
        var bytes = decoded(block.base64);
        if (isOpenSsh) {
            return openSsh(bytes);
        }
        if (!isDer(bytes)) {
            throw Half.PRIVATE.cut();
        }
        var start = Arrays.copyOf(bytes, PKCS8.length);
        start[1] = PKCS8[1];
        start[4] = PKCS8[4];
        if (bytes.length < 48 || !Arrays.equals(start, PKCS8)) {
            throw Half.PRIVATE.otherAlgorithm();
        }
        return Arrays.copyOfRange(bytes, 16, 48);
    }

    /**
     * The OpenSSH line of a public key without its comment, as requests carry it. An SPKI PEM is taken as well.
     *
     * @throws IllegalArgumentException with the sentence for whoever pasted it
     */
    static String publicLine(String given) {
        var text = plain(given);
        var words = words(text);
        for (var at = 0; at + 1 < words.size(); at++) {
            var blob = words.get(at + 1);
            if (words.get(at).equals(TYPE) && blob.startsWith("AAAA")) {
                var bytes = decoded(blob);
                if (bytes.length != 51 || !Arrays.equals(BLOB, Arrays.copyOf(bytes, BLOB.length))) {
                    throw Half.PUBLIC.cut();
                }
                return TYPE + " " + blob;
            }
        }
        var block = Block.of(text);
        if (block == null) {
            if (words.contains(TYPE)) {
                throw Half.PUBLIC.cut();
            }
            throw words.stream().anyMatch(OPENSSH_TYPE.asPredicate()) ? Half.PUBLIC.otherAlgorithm() : Half.PUBLIC.unframed(text, words);
        }
        if (block.label.endsWith("PRIVATE KEY")) {
            throw Half.PUBLIC.given(Half.PRIVATE);
        }
        if (!block.label.endsWith("PUBLIC KEY")) {
            throw Half.PUBLIC.none();
        }
        if (!block.label.equals("PUBLIC KEY")) {
            throw Half.PUBLIC.otherAlgorithm();
        }
        var bytes = decoded(block.base64);
        if (!isDer(bytes)) {
            throw Half.PUBLIC.cut();
        }
        if (!Arrays.equals(SPKI, Arrays.copyOf(bytes, SPKI.length))) {
            throw Half.PUBLIC.otherAlgorithm();
        }
        var blob = ByteBuffer.allocate(51).put(BLOB).put(bytes, SPKI.length, 32).array();
        return TYPE + " " + Base64.getEncoder().encodeToString(blob);
    }

    /** The X.509 DER of the public key in an OpenSSH line. */
    static byte[] spki(String line) {
        return ByteBuffer.allocate(44).put(SPKI).put(decoded(line.substring(TYPE.length() + 1)), BLOB.length, 32).array();
    }

    /** The PKCS#8 DER of 32 secret bytes. */
    static byte[] pkcs8(byte[] secret) {
        return ByteBuffer.allocate(48).put(PKCS8).put(secret).array();
    }

    /** Editors put a byte order mark before a file, chats put no-break and zero-width spaces into it. */
    private static String plain(String text) {
        return text == null ? "" : text.replaceAll("\\\\+[nr]", "\n").replaceAll("[\uFEFF\u200B]", "").replace('\u00A0', ' ');
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.split("[" + BLANKS + "\"'`]+")).filter(word -> !word.isEmpty()).toList();
    }

    /** A PEM block: that of a private key if there are several; without base64 if its end is missing. */
    private record Block(String label, String base64) {
        private static Block of(String text) {
            var begins = BEGIN.matcher(text).results().toList();
            if (begins.isEmpty()) {
                return null;
            }
            var begin = begins.stream().filter(one -> one.group(1).endsWith("PRIVATE KEY")).findFirst().orElse(begins.get(0));
            var end = text.indexOf("-----END " + begin.group(1) + "-----", begin.end());
            return new Block(begin.group(1), end < 0 ? "" : text.substring(begin.end(), end).replaceAll("[" + BLANKS + "]+", ""));
        }
    }

    /** The bytes of standard, padded base64; none for any other text. */
    private static byte[] decoded(String text) {
        try {
            var bytes = Base64.getDecoder().decode(text);
            return Base64.getEncoder().encodeToString(bytes).equals(text) ? bytes : Wire.NOTHING;
        } catch (IllegalArgumentException notBase64) {
            return Wire.NOTHING;
        }
    }

    /** Whether it is one whole DER sequence: a key that was cut is none. */
    private static boolean isDer(byte[] bytes) {
        if (bytes.length < 4 || bytes[0] != 0x30) {
            return false;
        }
        var second = Byte.toUnsignedInt(bytes[2]);
        return bytes.length == switch (Byte.toUnsignedInt(bytes[1])) {
            case 0x81 -> second + 3;
            case 0x82 -> second * 256 + Byte.toUnsignedInt(bytes[3]) + 4;
            default -> bytes[1] + 2;
        };
    }

    /** Source: OpenSSH, PROTOCOL.key. */
    private static byte[] openSsh(byte[] blob) {
        try {
            if (blob.length < OPENSSH.length || !Arrays.equals(OPENSSH, Arrays.copyOf(blob, OPENSSH.length))) {
                throw Half.PRIVATE.cut();
            }
            var outer = ByteBuffer.wrap(blob).position(OPENSSH.length);
            if (!text(outer).equals("none")) {
                throw new IllegalArgumentException(ENCRYPTED);
            }
            next(outer); // The key derivation function and its options: none.
            next(outer);
            if (outer.getInt() != 1) {
                throw Half.PRIVATE.cut();
            }
            next(outer); // The public key, which is repeated below.
            var inner = ByteBuffer.wrap(next(outer));
            if (inner.getInt() != inner.getInt()) {
                throw Half.PRIVATE.cut();
            }
            if (!text(inner).equals(TYPE)) {
                throw Half.PRIVATE.otherAlgorithm();
            }
            var publicKey = next(inner);
            var secret = next(inner);
            if (secret.length != 64 || !Arrays.equals(Arrays.copyOfRange(secret, 32, 64), publicKey)) {
                throw Half.PRIVATE.cut();
            }
            return Arrays.copyOf(secret, 32);
        } catch (BufferUnderflowException truncated) {
            throw Half.PRIVATE.cut();
        }
    }

    private static String text(ByteBuffer bytes) {
        return new String(next(bytes), StandardCharsets.ISO_8859_1);
    }

    /** A string of SSH's wire format: its length, and its bytes. */
    private static byte[] next(ByteBuffer bytes) {
        var length = bytes.getInt();
        if (length < 0 || length > bytes.remaining()) {
            throw Half.PRIVATE.cut();
        }
        var next = new byte[length];
        bytes.get(next);
        return next;
    }
}
