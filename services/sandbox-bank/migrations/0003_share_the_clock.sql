-- The offset moves every service's clock, so it is provisioned with the database and not the bank's own
-- (decisions/clock). The migration's runner gives the schema the clock of TEST afterwards.
CREATE OR REPLACE FUNCTION clock_now() RETURNS timestamptz LANGUAGE sql STABLE
  AS $$ SELECT date_trunc('milliseconds', clock_timestamp()) $$;
--> statement-breakpoint
DROP TABLE "clock_offset" CASCADE;
