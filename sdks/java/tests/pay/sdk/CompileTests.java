package pay.sdk;

import static pay.sdk.Checks.same;
import static pay.sdk.Checks.test;
import static pay.sdk.Checks.text;

import com.sun.source.util.JavacTask;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** Programs of partners, for the compiler. */
final class CompileTests {
    /** What the examples that are no whole program stand in. */
    private static final String PROGRAM =
        """
        import java.time.Instant;
        import java.util.List;
        import javax.sql.DataSource;
        import pay.sdk.*;
        import pay.sdk.PartnerEvent.*;
        import pay.sdk.Records.*;

        abstract class Example {
            Client client;
            NewCardPayment payment;
            NewRecurringPayment charge;
            List<CallbackKey> keys;
            DataSource dataSource;
            Order order;

            record Order(String paymentKey) {}

            abstract void chargeAgainAt(Instant moment);

            void run() {
                %s
            }
        }
        """;

    private CompileTests() {}

    static void run() throws Exception {
        test("a double is no amount", () -> {
            same(List.of(), errors("class Right { Object a = pay.sdk.Records.NewQrPayment.builder().amount(\"10.50\"); }"));
            same(1, errors("class Wrong { Object a = pay.sdk.Records.NewQrPayment.builder().amount(10.5); }").size());
        });
        test("the examples of the README compile, the controller with Spring", () -> {
            var blocks = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(text("sdks/java/README.md")).results().map(one -> one.group(1)).toList();
            same(7, blocks.size());
            for (var block : blocks) {
                same(List.of(), errors(block.contains("class ") ? block : PROGRAM.formatted(block)));
            }
        });
    }

    private static List<String> errors(String source) {
        var found = new DiagnosticCollector<JavaFileObject>();
        var name = source.replaceAll("(?s).*?\\bclass (\\w+).*", "$1");
        var file = new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignore) {
                return source;
            }
        };
        var options = List.of("-proc:none", "-cp", System.getProperty("java.class.path"));
        var task = (JavacTask) ToolProvider.getSystemJavaCompiler().getTask(null, null, found, options, null, List.of(file));
        try {
            task.analyze(); // It writes no class.
        } catch (IOException error) {
            throw new AssertionError(error);
        }
        return found.getDiagnostics().stream().map(Object::toString).toList();
    }
}
