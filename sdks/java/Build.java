import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/**
 * {@code java sdks/java/Build.java [folder]}: the SDK as a jar, with its sources and its pom.xml beside it; in sdks/java/dist, or in the folder that is
 * named. Needs a JDK and nothing else. A warning of the compiler, or of the comments, is an error. Prints the path of the jar.
 */
final class Build {
    public static void main(String[] given) throws IOException {
        var sdk = Path.of("sdks/java").toAbsolutePath();
        if (!Files.exists(sdk)) {
            throw new IllegalStateException("run it in the root of the repository");
        }
        var folder = given.length > 0 ? Path.of(given[0]) : sdk.resolve("dist");
        var pom = Files.readString(sdk.resolve("pom.xml"));
        var artifact = member(pom, "artifactId") + "-" + member(pom, "version");
        Files.createDirectories(folder);
        var staged = Files.createTempDirectory("java-sdk-");
        try {
            compile(sdk.resolve("src"), staged.resolve("classes"));
            var sources = folder.resolve(artifact + "-sources.jar");
            run("jar", "--create", "--file", sources.toString(), "-C", sdk.resolve("src").toString(), ".");
            describe(sdk, pom, staged.resolve("about"));
            var jar = folder.resolve(artifact + ".jar");
            var classes = staged.resolve("classes").toString();
            run("jar", "--create", "--file", jar.toString(), "-C", staged.resolve("about").toString(), ".", "-C", classes, ".");
            Files.writeString(folder.resolve(artifact + ".pom"), pom);
            System.out.println(jar);
        } finally {
            remove(staged);
        }
    }

    private static void compile(Path sources, Path classes) throws IOException {
        var options = List.of("--release", "17", "-Xlint:all", "-Xdoclint:all/protected", "-Werror", "-parameters", "-d", classes.toString());
        var all = new ArrayList<>(options);
        try (var files = Files.walk(sources)) {
            files.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(all::add);
        }
        run("javac", all.toArray(String[]::new));
    }

    /** What Maven and people look for in a jar. */
    private static void describe(Path sdk, String pom, Path about) throws IOException {
        var maven = about.resolve("META-INF/maven").resolve(member(pom, "groupId")).resolve(member(pom, "artifactId"));
        Files.createDirectories(maven);
        Files.writeString(maven.resolve("pom.xml"), pom);
        var properties = new StringBuilder();
        for (var name : List.of("groupId", "artifactId", "version")) {
            properties.append(name).append('=').append(member(pom, name)).append('\n');
        }
        Files.writeString(maven.resolve("pom.properties"), properties);
        Files.copy(sdk.resolve("LICENSE"), about.resolve("META-INF/LICENSE"));
        Files.copy(sdk.resolve("README.md"), about.resolve("META-INF/README.md"));
    }

    private static String member(String pom, String name) {
        var found = Pattern.compile("<" + name + ">([^<]+)<").matcher(pom);
        if (!found.find()) {
            throw new IllegalStateException("pom.xml has no " + name);
        }
        return found.group(1);
    }

    private static void run(String tool, String... given) {
        var status = ToolProvider.findFirst(tool).orElseThrow().run(System.err, System.err, given);
        if (status != 0) {
            throw new IllegalStateException(tool + " failed");
        }
    }

    private static void remove(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
