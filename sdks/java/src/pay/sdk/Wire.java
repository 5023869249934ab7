package pay.sdk;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Records as JSON and as queries. The components of a record have the names of its members. */
final class Wire {
    static final byte[] NOTHING = {};
    private static final String DECIMAL = "-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?";
    private static final String AMOUNT = "(?:0|[1-9][0-9]*)(?:\\.[0-9]{1,2})?";

    private Wire() {}

    /**
     * Text as a part of a path or query, escaped as it is signed.
     */
    static String part(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20").replace("*", "%2A").replace("%7E", "~");
    }

    /** The query with its question mark, from names and values. */
    static String query(Object... namesAndValues) {
        var query = new StringBuilder();
        for (var i = 0; i < namesAndValues.length; i += 2) {
            query.append(query.isEmpty() ? '?' : '&').append(part(namesAndValues[i].toString()));
            query.append('=').append(part(namesAndValues[i + 1].toString()));
        }
        return query.toString();
    }

    /** The same from a record; null is no query. */
    static String query(Record filter) {
        var pairs = filter == null ? Map.<String, Object>of() : members(filter);
        return query(pairs.entrySet().stream().flatMap(one -> Arrays.asList(one.getKey(), one.getValue()).stream()).toArray());
    }

    /** @throws IllegalArgumentException unless the text is a decimal without an exponent */
    static BigDecimal decimal(String name, String text) {
        if (text != null && !text.matches(DECIMAL)) {
            throw new IllegalArgumentException(name + " must be a decimal such as \"10.50\"");
        }
        return text == null ? null : new BigDecimal(text);
    }

    /** The record as JSON; null is one without members. Its {@code amount} is a number or a string, as the operation has it. */
    static byte[] body(Record record, boolean amountIsNumber) {
        return body(record == null ? Map.of() : members(record), amountIsNumber);
    }

    /** @throws IllegalArgumentException if the amount has more than two digits after the point, or a minus */
    static byte[] body(Map<String, ?> members, boolean amountIsNumber) {
        var all = new LinkedHashMap<String, Object>(members);
        if (all.get("amount") != null) {
            var amount = all.get("amount") instanceof BigDecimal number ? digits(number) : all.get("amount") instanceof String text ? text : "";
            if (!amount.matches(AMOUNT)) {
                throw new IllegalArgumentException("amount must be a decimal with at most two digits after the point, such as \"10.50\"");
            }
            all.put("amount", amountIsNumber ? new BigDecimal(amount) : amount);
        }
        return Json.write(all).getBytes(StandardCharsets.UTF_8);
    }

    /** What is not null, by its name. Decimals are text. */
    static Map<String, Object> members(Record record) {
        var members = new LinkedHashMap<String, Object>();
        for (var component : record.getClass().getRecordComponents()) {
            try {
                var value = component.getAccessor().invoke(record);
                if (value != null) {
                    members.put(component.getName(), value instanceof BigDecimal number ? digits(number) : value);
                }
            } catch (IllegalAccessException | InvocationTargetException error) {
                throw new IllegalStateException(error);
            }
        }
        return members;
    }

    /** With two digits after the point, or with as many as it has. */
    private static String digits(BigDecimal number) {
        return (number.scale() < 2 ? number.setScale(2) : number).toPlainString();
    }

    /**
     * A record from its members. A member that is not there is null; one that the record does not have is left out.
     *
     * @throws IllegalArgumentException if a member is of another type
     */
    static <T> T record(Class<T> type, Map<?, ?> members) {
        var components = type.getRecordComponents();
        var values = Arrays.stream(components).map(one -> value(one.getGenericType(), members.get(one.getName()))).toArray();
        var types = Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            return type.getConstructor(types).newInstance(values);
        } catch (ReflectiveOperationException error) {
            throw new IllegalStateException(error);
        }
    }

    /** The records of a list. */
    static <T> List<T> records(Class<T> type, Object items) {
        if (!(items instanceof List<?> list)) {
            throw new IllegalArgumentException("the items are no list");
        }
        return list.stream().map(item -> type.cast(value(type, item))).toList();
    }

    private static Object value(Type type, Object given) {
        if (given == null) {
            return null;
        }
        if (type instanceof ParameterizedType generic) {
            if (given instanceof Map<?, ?> map && generic.getRawType() == Map.class) {
                return Json.named(map);
            }
            if (given instanceof List<?> list && generic.getRawType() == List.class) {
                var items = new ArrayList<Object>();
                list.forEach(item -> items.add(value(generic.getActualTypeArguments()[0], item)));
                return List.copyOf(items);
            }
        } else if (type instanceof Class<?> own) {
            if (own.isRecord() && given instanceof Map<?, ?> map) {
                return record(own, map);
            }
            if (own == Integer.class && given instanceof BigDecimal number) {
                return whole(number);
            }
            if (own == BigDecimal.class && given instanceof String text) {
                return decimal("a member", text);
            }
            if (own.isInstance(given)) {
                return given;
            }
        }
        throw new IllegalArgumentException("a member is not of the type " + type.getTypeName());
    }

    private static Integer whole(BigDecimal number) {
        try {
            return number.intValueExact();
        } catch (ArithmeticException notWhole) {
            throw new IllegalArgumentException("a member is no whole number", notWhole);
        }
    }
}
