package pay.sdk;

import static pay.sdk.Checks.same;
import static pay.sdk.Checks.test;
import static pay.sdk.Checks.thrown;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;
import pay.sdk.EventStore.Receipt;

/** The store, in PostgreSQL. */
final class StoreTests {
    private final DataSource database;
    private final JdbcEventStore store;

    private StoreTests(DataSource database) {
        this.database = database;
        this.store = new JdbcEventStore(database);
    }

    /** In the database of this URL; what is there is dropped. */
    static void run(String url) throws SQLException {
        var database = new PGSimpleDataSource();
        database.setUrl(url);
        var tests = new StoreTests(database);
        test("stores an event in the transaction that applies it", () -> tests.fresh().storesWhatIsApplied());
        test("applies an event once when it comes ten times at once", () -> tests.fresh().appliesOnce());
        test("applies the first events of a payment one at a time", () -> tests.fresh().appliesInTurn());
    }

    private StoreTests fresh() throws SQLException {
        try (var connection = database.getConnection(); var statement = connection.createStatement()) {
            statement.execute("drop table if exists orders, callback_events, callback_aggregates");
            statement.execute(JdbcEventStore.SQL + "create table orders (paid_by text)");
        }
        return this;
    }

    private void storesWhatIsApplied() throws Exception {
        var answers = new ArrayList<Receipt>();
        for (var version : List.of(1, 1, 3, 2, 2)) {
            answers.add(receive(version));
        }
        same(List.of(Receipt.APPLIED, Receipt.REPEAT, Receipt.APPLIED, Receipt.OLDER, Receipt.REPEAT), answers);
        thrown(IllegalStateException.class, () -> store.receive(new EventReceipt("e-4", "payment:p-1", 4), connection -> {
            pay(connection, "half");
            throw new IllegalStateException("no");
        }));
        same(Receipt.APPLIED, receive(4));
        same(List.of("e-1", "e-3", "e-4"), paid());
    }

    private void appliesOnce() throws Exception {
        var answers = atOnce(Collections.nCopies(10, () -> receive(1)));
        same(1, Collections.frequency(answers, Receipt.APPLIED));
        same(9, Collections.frequency(answers, Receipt.REPEAT));
        same(List.of("e-1"), paid());
    }

    private void appliesInTurn() throws Exception {
        var inside = new AtomicInteger();
        var most = new AtomicInteger();
        var all = new ArrayList<Callable<Receipt>>();
        for (var version = 1; version <= 8; version++) {
            var receipt = new EventReceipt("e-" + version, "payment:p-1", version);
            all.add(() -> store.receive(receipt, connection -> {
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                pay(connection, receipt.eventId());
                inside.decrementAndGet();
            }));
        }
        var answers = atOnce(all);
        same(1, most.get());
        same(Receipt.APPLIED, answers.get(7));
        same(8, Collections.frequency(answers, Receipt.APPLIED) + Collections.frequency(answers, Receipt.OLDER));
        same(Collections.frequency(answers, Receipt.APPLIED), paid().size());
    }

    private static List<Receipt> atOnce(List<Callable<Receipt>> all) throws Exception {
        var threads = Executors.newFixedThreadPool(all.size());
        try {
            var answers = new ArrayList<Receipt>();
            for (var answer : threads.invokeAll(all)) {
                answers.add(answer.get());
            }
            return answers;
        } finally {
            threads.shutdown();
        }
    }

    private Receipt receive(int version) throws Exception {
        return store.receive(new EventReceipt("e-" + version, "payment:p-1", version), connection -> pay(connection, "e-" + version));
    }

    private static void pay(Connection connection, String eventId) throws SQLException {
        try (var insert = connection.prepareStatement("insert into orders values (?)")) {
            insert.setString(1, eventId);
            insert.executeUpdate();
        }
    }

    private List<String> paid() throws SQLException {
        try (var connection = database.getConnection(); var statement = connection.createStatement()) {
            var found = statement.executeQuery("select paid_by from orders order by paid_by");
            var all = new ArrayList<String>();
            while (found.next()) {
                all.add(found.getString(1));
            }
            return all;
        }
    }
}
