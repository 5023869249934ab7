package pay.sdk;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A receiver for the server of the JDK, {@link com.sun.net.httpserver.HttpServer}. */
public final class CallbackHandler implements HttpHandler {
    private final CallbackReceiver<?> receiver;

    /**
     * A handler.
     *
     * @param receiver what receives
     */
    public CallbackHandler(CallbackReceiver<?> receiver) {
        this.receiver = receiver;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var rawBody = exchange.getRequestBody().readNBytes(CallbackReceiver.BYTES_MAX + 1);
            var answer = receiver.receive(exchange.getRequestMethod(), exchange.getRequestHeaders()::getFirst, rawBody);
            var text = answer.text().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
            exchange.sendResponseHeaders(answer.status(), text.length);
            exchange.getResponseBody().write(text);
        }
    }
}
