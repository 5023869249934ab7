-- Nonces of accepted requests, partitioned by quarter of an hour so that old ones go by dropping a table (db/nonces.ts
-- makes and drops the partitions). drizzle cannot describe a partitioned table, hence by hand.
CREATE TABLE nonces (
  -- Seconds since 1970 divided by 900: which quarter of an hour.
  slot bigint NOT NULL,
  -- The first 16 bytes of SHA-256 over partner and nonce.
  digest uuid NOT NULL,
  PRIMARY KEY (slot, digest)
) PARTITION BY LIST (slot);
--> statement-breakpoint
-- What operators did is never changed afterwards, not even by this service's own role in an accident.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql
  AS $$ BEGIN RAISE EXCEPTION 'operator_audit is append only'; END $$;
--> statement-breakpoint
CREATE TRIGGER operator_audit_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
