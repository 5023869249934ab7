-- The bank exists in TEST only, so its clock can always be moved forward (POST /control/clock).
INSERT INTO clock_offset DEFAULT VALUES;
--> statement-breakpoint
CREATE OR REPLACE FUNCTION clock_now() RETURNS timestamptz LANGUAGE sql STABLE
  AS $$ SELECT date_trunc('milliseconds', clock_timestamp())
    + (SELECT milliseconds FROM clock_offset) * interval '1 millisecond' $$;
