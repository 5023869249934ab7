-- The first of three steps to attempts by the day (decisions/partitions): what is there becomes one partition, which
-- ends a week from now. Without this constraint, attaching it would read the whole table while nobody can record an
-- attempt. Not before the newest row: a TEST clock may have been further.
DO $$ DECLARE
  ends_at constant timestamptz := (SELECT greatest(max(started_at), clock_now())::date + 7 FROM attempts)::timestamp AT TIME ZONE 'UTC';
BEGIN
  EXECUTE format('ALTER TABLE attempts ADD CONSTRAINT attempts_before CHECK (started_at < %L) NOT VALID', ends_at);
END $$;
