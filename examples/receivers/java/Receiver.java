// The JDK's HTTP server and PostgreSQL: the order is paid in the transaction that records the event.
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.Executors;
import org.postgresql.ds.PGSimpleDataSource;
import pay.sdk.CallbackHandler;
import pay.sdk.CallbackKey;
import pay.sdk.CallbackReceiver;
import pay.sdk.JdbcEventStore;
import pay.sdk.PartnerEvent.PaymentCompletedEvent;

class Receiver {
    public static void main(String[] given) throws Exception {
        var env = System.getenv();
        var database = new PGSimpleDataSource();
        database.setURL(env.get("DATABASE_URL")); // jdbc:postgresql://…
        try (var connection = database.getConnection(); var create = connection.createStatement()) {
            create.execute(JdbcEventStore.SQL.replace("create table", "create table if not exists")); // a shop: in its migrations
        }
        var receiver = new CallbackReceiver<>(
            List.of(new CallbackKey(env.get("CALLBACK_KEY_ID"), env.get("CALLBACK_SECRET"))), // two during a rotation
            new JdbcEventStore(database),
            (event, connection) -> {
                if (event instanceof PaymentCompletedEvent paid) { // a newer service may send others
                    try (var update = connection.prepareStatement("update orders set paid = true where number = ? and amount = ? and currency = ?")) {
                        update.setString(1, paid.data().merchantOrderId());
                        update.setBigDecimal(2, paid.data().amount());
                        update.setString(3, paid.data().currency());
                        if (update.executeUpdate() != 1) throw new IllegalStateException("STOP: not as sold: " + paid); // 500: it comes again
                    }
                }
            });
        var server = HttpServer.create(new InetSocketAddress(Integer.parseInt(env.get("PORT"))), 0);
        server.createContext("/callbacks", new CallbackHandler(receiver));
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.start();
    }
}
