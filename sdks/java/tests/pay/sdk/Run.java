package pay.sdk;

/** The cases that every SDK passes, keys, callbacks, and the store. Prints "N passed". Properties: repository, database, spring. */
final class Run {
    private Run() {}

    public static void main(String[] given) throws Exception {
        var partner = Checks.json("packages/signing/test/vectors/request-signing.json");
        KeyTests.run(partner);
        CallTests.run(partner);
        StreamTests.run(partner);
        CallbackTests.run();
        StoreTests.run(System.getProperty("database"));
        CompileTests.run(System.getProperty("spring"));
        Checks.end();
    }
}
