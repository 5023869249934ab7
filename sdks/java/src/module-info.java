/** Client of the payment integration service: signed calls, safe repeats, verified callbacks, exact amounts. */
module pay.sdk {
    requires transitive java.net.http;
    requires static transitive java.sql;
    requires static transitive jdk.httpserver;

    exports pay.sdk;
}
