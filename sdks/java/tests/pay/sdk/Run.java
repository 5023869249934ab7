package pay.sdk;

import java.nio.file.Path;

/** The cases that every SDK passes, keys, callbacks, and the store. Prints "N passed". Properties: repository, database, folder. */
final class Run {
    private Run() {}

    public static void main(String[] given) throws Exception {
        var partner = Checks.json("packages/signing/test/vectors/request-signing.json");
        KeyTests.run(partner);
        CallTests.run(partner);
        StreamTests.run(partner);
        CallbackTests.run();
        StoreTests.run(System.getProperty("database"));
        CompileTests.run();
        SpringTests.run(Path.of(System.getProperty("folder")));
        Checks.end();
    }
}
