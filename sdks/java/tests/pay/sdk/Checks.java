package pay.sdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What the tests need: cases from files, and comparisons that name both sides. */
final class Checks {
    private static final Path ROOT = Path.of(System.getProperty("repository"));
    private static int passed;
    private static int failed;

    private Checks() {}

    interface Test {
        void run() throws Exception;
    }

    static void test(String name, Test test) {
        try {
            test.run();
            passed++;
        } catch (Throwable error) {
            failed++;
            System.out.println("FAILED " + name + "\n  " + error);
            for (var line : error.getStackTrace()) {
                if (line.getClassName().startsWith("pay.sdk")) {
                    System.out.println("    " + line);
                }
            }
        }
    }

    /** Prints how many passed, and how many did not. */
    static void end() {
        System.out.println(failed == 0 ? passed + " passed" : passed + " passed, " + failed + " failed");
        System.exit(failed == 0 ? 0 : 1);
    }

    static void same(Object wanted, Object given) {
        if (!Objects.equals(wanted, given)) {
            throw new AssertionError("wanted " + wanted + ", got " + given);
        }
    }

    static <E extends Throwable> E thrown(Class<E> type, Test test) {
        try {
            test.run();
        } catch (Throwable error) {
            if (type.isInstance(error)) {
                return type.cast(error);
            }
            throw new AssertionError("wanted " + type.getSimpleName() + ", got " + error, error);
        }
        throw new AssertionError("no " + type.getSimpleName() + " was thrown");
    }

    static String text(String path) throws IOException {
        return Files.readString(ROOT.resolve(path));
    }

    static Map<String, Object> json(String path) throws IOException {
        return Objects.requireNonNull(Json.readObject(Files.readAllBytes(ROOT.resolve(path))));
    }

    static Map<String, Object> map(Object value) {
        return value == null ? Map.of() : Json.named((Map<?, ?>) value);
    }

    static List<Map<String, Object>> maps(Object list) {
        return ((List<?>) list).stream().map(Checks::map).toList();
    }

    static String string(Map<String, Object> members, String name) {
        return (String) members.get(name);
    }
}
