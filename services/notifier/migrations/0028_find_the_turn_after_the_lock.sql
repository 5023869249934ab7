-- Two replicas that store versions of one payment at once wait for each other at its row, and each statement sees the events as they were
-- when it began: the second passed over, or waited for, what the first had stored meanwhile. A volatile function sees what is committed
-- when it is called, and it is called with the row locked.
-- The lowest version from `first` on that has not ended: neither in the log, nor among `passed`, which are being stored.
CREATE FUNCTION turn_from(of_aggregate uuid, first integer, passed integer[]) RETURNS integer LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  turn integer := first;
BEGIN
  WHILE turn = ANY (passed) OR EXISTS (SELECT FROM events e
    WHERE e.aggregate_id = of_aggregate AND e.aggregate_version = turn AND e.status <> 'WAITING') LOOP
    turn := turn + 1;
  END LOOP;
  RETURN turn;
END $$;
--> statement-breakpoint
-- When what waits in the log and may be sent, because it is no later than `turn`, is due; null if nothing is.
CREATE FUNCTION due_by(of_aggregate uuid, turn integer) RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RETURN (SELECT e.next_attempt_at FROM events e
    WHERE e.aggregate_id = of_aggregate AND e.status = 'WAITING' AND e.aggregate_version <= turn
    ORDER BY e.aggregate_version LIMIT 1);
END $$;
