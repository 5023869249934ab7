package pay.sdk;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * JSON with exact numbers: maps, lists, text, {@link BigDecimal}, {@link Boolean} and null. A name that is there twice is refused, because two
 * readers may take different ones.
 */
final class Json {
    /** Deeper than any record of the service. */
    private static final int DEPTH_MAX = 64;
    /** Longer than any number of the service. */
    private static final int NUMBER_LENGTH_MAX = 64;

    private final String text;
    private int at;
    private int depth;

    private Json(String text) {
        this.text = text;
    }

    /** The object that the bytes are, or null if they are anything else. */
    static Map<String, Object> readObject(byte[] bytes) {
        try {
            var json = new Json(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
            var value = json.value();
            json.skipSpace();
            return json.at == json.text.length() && value instanceof Map<?, ?> map ? named(map) : null;
        } catch (CharacterCodingException | IllegalArgumentException notJson) {
            return null;
        }
    }

    /** The same map, if its keys are text. */
    static Map<String, Object> named(Map<?, ?> map) {
        var named = new LinkedHashMap<String, Object>();
        map.forEach((name, value) -> named.put((String) name, value));
        return named;
    }

    /** Maps, lists, records, text, booleans, null and numbers that are exact. */
    static String write(Object value) {
        var out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long) {
            out.append(value);
        } else if (value instanceof BigDecimal number) {
            out.append(number.toPlainString());
        } else if (value instanceof String string) {
            writeText(string, out);
        } else if (value instanceof Record part) {
            write(Wire.members(part), out);
        } else if (value instanceof List<?> list) {
            var separator = '[';
            for (var item : list) {
                write(item, out.append(separator));
                separator = ',';
            }
            out.append(list.isEmpty() ? "[]" : "]");
        } else if (value instanceof Map<?, ?> map) {
            var separator = '{';
            for (var entry : named(map).entrySet()) {
                writeText(entry.getKey(), out.append(separator));
                write(entry.getValue(), out.append(':'));
                separator = ',';
            }
            out.append(map.isEmpty() ? "{}" : "}");
        } else {
            throw new IllegalArgumentException(value.getClass().getName() + " is not exact: pass a BigDecimal or text");
        }
    }

    private static void writeText(String string, StringBuilder out) {
        out.append('"');
        for (var i = 0; i < string.length(); i++) {
            var one = string.charAt(i);
            if (one == '"' || one == '\\') {
                out.append('\\').append(one);
            } else if (one < ' ') {
                out.append(String.format("\\u%04x", (int) one));
            } else {
                out.append(one);
            }
        }
        out.append('"');
    }

    private Object value() {
        skipSpace();
        return switch (peek()) {
            case '{' -> object();
            case '[' -> list();
            case '"' -> string();
            case 't' -> word("true", true);
            case 'f' -> word("false", false);
            case 'n' -> word("null", null);
            default -> number();
        };
    }

    private Map<String, Object> object() {
        var members = new LinkedHashMap<String, Object>();
        enter();
        if (!closes('}')) {
            do {
                skipSpace();
                var name = string();
                skipSpace();
                expect(':');
                if (members.containsKey(name)) {
                    throw wrong();
                }
                members.put(name, value());
            } while (goesOn('}'));
        }
        depth--;
        return members;
    }

    private List<Object> list() {
        var items = new ArrayList<Object>();
        enter();
        if (!closes(']')) {
            do {
                items.add(value());
            } while (goesOn(']'));
        }
        depth--;
        return items;
    }

    private void enter() {
        at++;
        if (++depth > DEPTH_MAX) {
            throw wrong();
        }
    }

    private boolean closes(char end) {
        skipSpace();
        if (peek() != end) {
            return false;
        }
        at++;
        return true;
    }

    private boolean goesOn(char end) {
        if (closes(end)) {
            return false;
        }
        expect(',');
        return true;
    }

    private String string() {
        expect('"');
        var out = new StringBuilder();
        while (peek() != '"') {
            var one = text.charAt(at++);
            if (one < ' ') {
                throw wrong();
            }
            out.append(one == '\\' ? escaped() : one);
        }
        at++;
        return out.toString();
    }

    private char escaped() {
        var one = peek();
        at++;
        return switch (one) {
            case '"', '\\', '/' -> one;
            case 'b' -> '\b';
            case 'f' -> '\f';
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'u' -> unit();
            default -> throw wrong();
        };
    }

    private char unit() {
        if (at + 4 > text.length()) {
            throw wrong();
        }
        var unit = 0;
        for (var digit : text.substring(at, at + 4).toCharArray()) {
            if (digit > 'f' || Character.digit(digit, 16) < 0) {
                throw wrong();
            }
            unit = unit * 16 + Character.digit(digit, 16);
        }
        at += 4;
        return (char) unit;
    }

    private Object word(String word, Object value) {
        if (!text.startsWith(word, at)) {
            throw wrong();
        }
        at += word.length();
        return value;
    }

    private BigDecimal number() {
        var start = at;
        while (at < text.length() && "+-.0123456789eE".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        var token = text.substring(start, at);
        if (token.length() > NUMBER_LENGTH_MAX || !token.matches("-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]{1,4})?")) {
            throw wrong();
        }
        return new BigDecimal(token);
    }

    private void skipSpace() {
        while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
    }

    private void expect(char one) {
        if (peek() != one) {
            throw wrong();
        }
        at++;
    }

    private char peek() {
        if (at >= text.length()) {
            throw wrong();
        }
        return text.charAt(at);
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException("no JSON at character " + at);
    }
}
