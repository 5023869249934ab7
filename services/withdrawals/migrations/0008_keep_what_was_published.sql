-- What was published, for as long as somebody may ask for it again: a consumer whose queue lost it. By the day on which it happened,
-- so that what is old goes by dropping a table. drizzle cannot describe a partitioned table, hence by hand
-- (decisions/lost-messages).
CREATE TABLE published (
  message_id uuid NOT NULL,
  type text NOT NULL,
  aggregate_id text NOT NULL,
  payload jsonb NOT NULL,
  request_id text,
  traceparent text,
  occurred_at timestamp (3) with time zone NOT NULL,
  published_at timestamp (3) with time zone DEFAULT clock_now() NOT NULL
) PARTITION BY RANGE (occurred_at);
--> statement-breakpoint
CREATE INDEX published_message ON published (message_id);
--> statement-breakpoint
CREATE INDEX published_aggregate ON published (aggregate_id);
--> statement-breakpoint
-- For days that have no partition: publishing never waits for one.
CREATE TABLE published_other PARTITION OF published DEFAULT;
--> statement-breakpoint
-- The service's own role may not make or drop tables. It may have this done: today and tomorrow get a partition, what happened more
-- than seven days ago goes.
CREATE FUNCTION roll_published_partitions(OUT made integer, OUT dropped integer) LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = withdrawals, pg_temp AS $$
DECLARE
  today CONSTANT date := (clock_now() AT TIME ZONE 'UTC')::date;
  oldest CONSTANT date := today - 7;
  day date;
  partition text;
BEGIN
  made := 0;
  dropped := 0;
  PERFORM pg_advisory_xact_lock(7305004);
  FOREACH day IN ARRAY ARRAY[today, today + 1] LOOP
    partition := 'published_' || to_char(day, 'YYYYMMDD');
    CONTINUE WHEN to_regclass(partition) IS NOT NULL;
    EXECUTE format('CREATE TABLE %I (LIKE published INCLUDING DEFAULTS)', partition);
    -- What came before its day had a partition.
    LOCK TABLE published_other IN ACCESS EXCLUSIVE MODE;
    EXECUTE format('WITH moved AS (DELETE FROM published_other WHERE occurred_at >= %L AND occurred_at < %L RETURNING *)
      INSERT INTO %I SELECT * FROM moved', day::text || ' 00:00:00Z', (day + 1)::text || ' 00:00:00Z', partition);
    EXECUTE format('ALTER TABLE published ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition,
      day::text || ' 00:00:00Z', (day + 1)::text || ' 00:00:00Z');
    made := made + 1;
  END LOOP;
  FOR partition IN SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'published'::regclass AND c.relname ~ '^published_\d{8}$'
      AND substr(c.relname, 11) < to_char(oldest, 'YYYYMMDD') LOOP
    EXECUTE format('DROP TABLE %I', partition);
    dropped := dropped + 1;
  END LOOP;
  DELETE FROM published_other WHERE occurred_at < oldest::text::timestamp AT TIME ZONE 'UTC';
END $$;
--> statement-breakpoint
SELECT roll_published_partitions();
