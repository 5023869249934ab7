-- The service's own role may not make or drop tables. It may have this done: what comes is made, what no signature can need
-- any more goes. As the owner, and with a search path that nobody else can put anything into.
CREATE FUNCTION roll_nonce_partitions(OUT made integer, OUT dropped integer) LANGUAGE plpgsql
  SECURITY DEFINER SET search_path = gateway, pg_temp AS $$
DECLARE
  -- As `db/nonces.ts` reckons: a slot is a quarter of an hour, two are made ahead, the one before is still looked at.
  slot_now CONSTANT bigint := extract(epoch FROM pg_catalog.clock_timestamp())::bigint / 900;
  missing bigint[];
  old bigint[];
  slot bigint;
BEGIN
  SELECT coalesce(array_agg(wanted), '{}') INTO missing FROM generate_series(slot_now - 1, slot_now + 2) AS wanted
    WHERE to_regclass('nonces_' || wanted) IS NULL;
  SELECT coalesce(array_agg(present), '{}') INTO old
    FROM (SELECT substr(c.relname, length('nonces_') + 1)::bigint AS present FROM pg_inherits i
      JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'nonces'::regclass) AS partitions
    WHERE present < slot_now - 1;
  made := cardinality(missing);
  dropped := cardinality(old);
  IF made + dropped > 0 THEN
    PERFORM pg_advisory_xact_lock(7305002);
    FOREACH slot IN ARRAY missing LOOP
      EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF nonces FOR VALUES IN (%s)', 'nonces_' || slot, slot);
    END LOOP;
    FOREACH slot IN ARRAY old LOOP
      EXECUTE format('DROP TABLE IF EXISTS %I', 'nonces_' || slot);
    END LOOP;
  END IF;
END $$;
