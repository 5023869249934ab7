package pay.sdk;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Records events in the database of your orders, in one transaction with what is done on the connection that {@code onEvent} gets. Events of one
 * aggregate are applied one at a time, across any number of processes. Tested on PostgreSQL, and on no other database.
 */
public final class JdbcEventStore implements EventStore<Connection> {
    /** The tables. */
    public static final String SQL =
        """
        create table callback_events (
          event_id varchar(64) primary key,
          received_at timestamp not null default current_timestamp
        );
        create table callback_aggregates (
          aggregate_id varchar(160) primary key,
          version integer not null
        );
        """;

    private final DataSource dataSource;

    /**
     * A store that takes a connection for each event.
     *
     * @param dataSource your pool
     */
    public JdbcEventStore(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    @Override
    public Receipt receive(EventReceipt receipt, Apply<Connection> apply) throws Exception {
        while (true) {
            try (var connection = dataSource.getConnection()) {
                connection.setAutoCommit(false);
                try {
                    var answer = record(connection, receipt, apply);
                    connection.commit();
                    return answer;
                } catch (Behind behind) {
                    connection.rollback();
                } catch (Repeated repeated) {
                    connection.rollback();
                    return Receipt.REPEAT;
                } catch (Throwable failed) {
                    connection.rollback();
                    throw failed;
                }
            }
        }
    }

    private static Receipt record(Connection connection, EventReceipt receipt, Apply<Connection> apply) throws Exception {
        if (!isInserted(connection, "insert into callback_events (event_id) values (?)", receipt.eventId())) {
            throw new Repeated();
        }
        if (!isNewest(connection, receipt)) {
            return Receipt.OLDER;
        }
        apply.apply(connection);
        return Receipt.APPLIED;
    }

    /** If so, the row stays locked until the transaction ends: other events of this aggregate wait. */
    private static boolean isNewest(Connection connection, EventReceipt receipt) throws SQLException, Behind {
        var id = receipt.aggregateId();
        var version = receipt.aggregateVersion();
        var moved = "update callback_aggregates set version = ? where aggregate_id = ? and version <= ?";
        if (changed(connection, moved, version, id, version) > 0) {
            return true;
        }
        try (var select = connection.prepareStatement("select version from callback_aggregates where aggregate_id = ?")) {
            select.setString(1, id);
            try (var found = select.executeQuery()) {
                if (found.next()) {
                    if (found.getInt(1) < version) {
                        throw new Behind();
                    }
                    return found.getInt(1) == version;
                }
            }
        }
        if (!isInserted(connection, "insert into callback_aggregates (aggregate_id, version) values (?, ?)", id, version)) {
            throw new Behind();
        }
        return true;
    }

    private static boolean isInserted(Connection connection, String sql, Object... values) throws SQLException {
        try {
            changed(connection, sql, values);
            return true;
        } catch (SQLException error) {
            // 23: integrity constraint violation, in every database.
            if (error.getSQLState() != null && error.getSQLState().startsWith("23")) {
                return false;
            }
            throw error;
        }
    }

    private static int changed(Connection connection, String sql, Object... values) throws SQLException {
        try (var statement = connection.prepareStatement(sql)) {
            for (var i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }

    /** Another transaction has recorded an event of this aggregate meanwhile: its row is not locked here. */
    private static final class Behind extends Exception {
        private static final long serialVersionUID = 1;
    }

    private static final class Repeated extends Exception {
        private static final long serialVersionUID = 1;
    }
}
