package pay.sdk;

import static pay.sdk.Checks.same;
import static pay.sdk.Checks.test;
import static pay.sdk.Checks.text;

import java.io.InputStream;
import java.net.URLClassLoader;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.apache.catalina.startup.Tomcat;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.context.support.StaticWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import pay.sdk.CallbackTests.Served;

/** The README's controller, compiled as it stands there and served by Spring on Tomcat. */
final class SpringTests {
    private SpringTests() {}

    static void run(Path folder) throws Exception {
        test("receives behind Spring on Tomcat, with the controller of the README", () -> {
            var controller = compiled(folder);
            CallbackTests.receivesBehind(receiver -> serve(controller, receiver, folder));
            readsNoMoreThanACallback(controller);
        });
    }

    private static Class<?> compiled(Path folder) throws Exception {
        var found = Pattern.compile("```java\n((?:(?!```).)*@RestController.*?)```", Pattern.DOTALL).matcher(text("sdks/java/README.md"));
        same(true, found.find());
        var source = Files.writeString(folder.resolve("Callbacks.java"), found.group(1));
        var classes = Files.createDirectories(folder.resolve("controller"));
        var options = new String[] {"-proc:none", "-cp", System.getProperty("java.class.path"), "-d", classes.toString(), source.toString()};
        same(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, options));
        return Class.forName("Callbacks", true, new URLClassLoader(new URL[] {classes.toUri().toURL()}));
    }

    /** Called without Tomcat, which answers only after it has read a body that is too large itself. */
    private static void readsNoMoreThanACallback(Class<?> controller) throws Exception {
        var endless = new InputStream() {
            private int given;

            @Override
            public int read() {
                same(true, given++ <= CallbackReceiver.BYTES_MAX);
                return ' ';
            }
        };
        var store = new MemoryEventStore();
        var receiver = new CallbackReceiver<Void>(() -> List.of(), store, (event, nothing) -> {}, (status, reason) -> {});
        var receive = controller.getDeclaredMethod("receive", HttpHeaders.class, InputStream.class);
        receive.setAccessible(true);
        var answer = (ResponseEntity<?>) receive.invoke(instance(controller, receiver), new HttpHeaders(), endless);
        same(413, answer.getStatusCode().value());
    }

    private static Object instance(Class<?> controller, CallbackReceiver<?> receiver) throws Exception {
        var constructor = controller.getDeclaredConstructor(CallbackReceiver.class);
        constructor.setAccessible(true);
        return constructor.newInstance(receiver);
    }

    private static Served serve(Class<?> controller, CallbackReceiver<?> receiver, Path folder) throws Exception {
        var context = new StaticWebApplicationContext();
        context.registerSingleton("mapping", RequestMappingHandlerMapping.class);
        context.registerSingleton("adapter", RequestMappingHandlerAdapter.class);
        context.getBeanFactory().registerSingleton("controller", instance(controller, receiver));
        var tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        var site = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(site, "spring", new DispatcherServlet(context));
        site.addServletMappingDecoded("/", "spring");
        tomcat.start();
        return new Served(tomcat.getConnector().getLocalPort(), () -> {
            tomcat.stop();
            tomcat.destroy();
        });
    }
}
