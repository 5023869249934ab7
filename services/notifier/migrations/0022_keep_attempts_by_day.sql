-- Attempts by the day on which they started, so that what is old goes by dropping a table (decisions/partitions).
-- drizzle cannot describe a partitioned table, hence by hand. The table keeps its name and columns: the previous
-- version reads and writes it as before. What was there becomes the first partition. Nothing of this reads a row: 0021
-- has shown that none is later than its end.
ALTER TABLE attempts RENAME TO attempts_before;
--> statement-breakpoint
ALTER INDEX attempts_event RENAME TO attempts_before_event;
--> statement-breakpoint
CREATE TABLE attempts (LIKE attempts_before INCLUDING DEFAULTS) PARTITION BY RANGE (started_at);
--> statement-breakpoint
CREATE INDEX attempts_event ON attempts (event_id, id);
--> statement-breakpoint
-- Otherwise the sequence would be dropped with the first partition.
ALTER SEQUENCE attempts_id_seq OWNED BY attempts.id;
--> statement-breakpoint
DO $$ DECLARE
  ends_at constant timestamptz := (SELECT substring(pg_get_constraintdef(oid) FROM '''(.+)''')::timestamptz FROM pg_constraint
    WHERE conname = 'attempts_before' AND conrelid = 'attempts_before'::regclass);
BEGIN
  EXECUTE format('ALTER TABLE attempts ATTACH PARTITION attempts_before FOR VALUES FROM (MINVALUE) TO (%L)', ends_at);
END $$;
--> statement-breakpoint
-- For days that have no partition: recording never waits for one.
CREATE TABLE attempts_other PARTITION OF attempts DEFAULT;
--> statement-breakpoint
-- The service's own role may not make or drop tables. It may have this done: today and the next three days get a partition, days of more
-- than thirty days ago go. `swept` counts the rows that are deleted one by one, because their partition has younger ones, too: at
-- most 5,000 of each such partition.
CREATE FUNCTION roll_attempts_partitions(OUT made integer, OUT dropped integer, OUT swept integer) LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = notifier, pg_temp AS $$
DECLARE
  today CONSTANT date := (clock_now() AT TIME ZONE 'UTC')::date;
  oldest CONSTANT timestamptz := (today - 30)::timestamp AT TIME ZONE 'UTC';
  -- Null once the first partition is gone.
  before_ends CONSTANT timestamptz := (SELECT substring(pg_get_expr(relpartbound, oid) FROM 'TO \(''(.+)''\)')::timestamptz
    FROM pg_class WHERE oid = to_regclass('attempts_before'));
  day date;
  starts_at timestamptz;
  ends_at timestamptz;
  partition text;
  swept_here integer;
BEGIN
  made := 0;
  dropped := 0;
  swept := 0;
  PERFORM pg_advisory_xact_lock(7305007);
  FOREACH partition IN ARRAY ARRAY['attempts_before', 'attempts_other'] LOOP
    CONTINUE WHEN to_regclass(partition) IS NULL;
    EXECUTE format('DELETE FROM %1$I WHERE ctid IN (SELECT ctid FROM (SELECT ctid, started_at FROM %1$I ORDER BY id LIMIT 5000) AS first
      WHERE started_at < $1)', partition) USING oldest;
    GET DIAGNOSTICS swept_here = ROW_COUNT;
    swept := greatest(swept, swept_here);
  END LOOP;
  FOR day IN SELECT generate_series(today, today + 3, interval '1 day') LOOP
    starts_at := day::timestamp AT TIME ZONE 'UTC';
    ends_at := (day + 1)::timestamp AT TIME ZONE 'UTC';
    partition := 'attempts_' || to_char(day, 'YYYYMMDD');
    CONTINUE WHEN to_regclass(partition) IS NOT NULL OR starts_at < before_ends;
    EXECUTE format('CREATE TABLE %I (LIKE attempts INCLUDING DEFAULTS)', partition);
    LOCK TABLE attempts_other IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('WITH moved AS (DELETE FROM attempts_other WHERE started_at >= %L AND started_at < %L RETURNING *)
      INSERT INTO %I SELECT * FROM moved', starts_at, ends_at, partition);
    EXECUTE format('ALTER TABLE attempts ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition, starts_at, ends_at);
    made := made + 1;
  END LOOP;
  FOR partition IN SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'attempts'::regclass AND CASE WHEN c.relname = 'attempts_before' THEN before_ends <= oldest
      ELSE c.relname ~ '^attempts_\d{8}$' AND substr(c.relname, 10) < to_char(today - 30, 'YYYYMMDD') END LOOP
    EXECUTE format('DROP TABLE %I', partition);
    dropped := dropped + 1;
  END LOOP;
END $$;
