-- As before, but nobody who reads or writes nonces waits, and nobody can keep a partition from being made: it is made beside the table
-- and attached, which a long reader such as pg_dump allows. Dropping needs the whole table for a moment. It waits a tenth of a
-- second for that, because everybody else waits behind it, and leaves it to the next round otherwise
-- (decisions/partitions).
CREATE OR REPLACE FUNCTION roll_nonce_partitions(OUT made integer, OUT dropped integer) LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = gateway, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  -- As `db/nonces.ts` reckons: a slot is a quarter of an hour, two are made ahead, the one before is still looked at.
  slot_now CONSTANT bigint := extract(epoch FROM pg_catalog.clock_timestamp())::bigint / 900;
  missing bigint[];
  old bigint[];
  slot bigint;
BEGIN
  made := 0;
  dropped := 0;
  SELECT coalesce(array_agg(wanted), '{}') INTO missing FROM generate_series(slot_now - 1, slot_now + 2) AS wanted
    WHERE to_regclass('nonces_' || wanted) IS NULL;
  SELECT coalesce(array_agg(present), '{}') INTO old
    FROM (SELECT substr(c.relname, length('nonces_') + 1)::bigint AS present FROM pg_inherits i
      JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'nonces'::regclass) AS partitions
    WHERE present < slot_now - 1;
  IF cardinality(missing) + cardinality(old) > 0 THEN
    -- Another replica is soon ready; whoever has the table may not be.
    PERFORM pg_advisory_xact_lock(7305002);
    PERFORM set_config('lock_timeout', '100ms', true);
    FOREACH slot IN ARRAY missing LOOP
      -- Another replica may have made it while this one waited. Not to_regclass: this session remembers what it said before.
      CONTINUE WHEN EXISTS (SELECT FROM pg_class WHERE relname = 'nonces_' || slot AND relnamespace = 'gateway'::regnamespace);
      EXECUTE format('CREATE TABLE %I (LIKE nonces INCLUDING INDEXES)', 'nonces_' || slot);
      EXECUTE format('ALTER TABLE nonces ATTACH PARTITION %I FOR VALUES IN (%s)', 'nonces_' || slot, slot);
      made := made + 1;
    END LOOP;
    BEGIN
      FOREACH slot IN ARRAY old LOOP
        EXECUTE format('DROP TABLE IF EXISTS %I', 'nonces_' || slot);
      END LOOP;
      dropped := cardinality(old);
    EXCEPTION WHEN lock_not_available THEN
      dropped := 0;
    END;
  END IF;
END $$;
