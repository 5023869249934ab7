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
    private CompileTests() {}

    static void run(String springJars) throws Exception {
        test("a double is no amount", () -> {
            same(List.of(), errors("class Right { Object a = pay.sdk.Records.NewQrPayment.builder().amount(\"10.50\"); }", ""));
            same(1, errors("class Wrong { Object a = pay.sdk.Records.NewQrPayment.builder().amount(10.5); }", "").size());
        });
        test("the controller of the README compiles with Spring", () -> {
            var blocks = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(text("sdks/java/README.md"));
            var controller = blocks.results().map(one -> one.group(1)).filter(one -> one.contains("@RestController")).findFirst().orElseThrow();
            same(List.of(), errors(controller, springJars));
        });
    }

    private static List<String> errors(String source, String jars) {
        var found = new DiagnosticCollector<JavaFileObject>();
        var name = source.replaceAll("(?s).*?\\bclass (\\w+).*", "$1");
        var file = new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
            @Override
            public CharSequence getCharContent(boolean ignore) {
                return source;
            }
        };
        var options = List.of("-proc:none", "-cp", System.getProperty("java.class.path") + ":" + jars);
        var task = (JavacTask) ToolProvider.getSystemJavaCompiler().getTask(null, null, found, options, null, List.of(file));
        try {
            task.analyze(); // It writes no class.
        } catch (IOException error) {
            throw new AssertionError(error);
        }
        return found.getDiagnostics().stream().map(Object::toString).toList();
    }
}
