-- The only clock that decides anything. The tables of the next migration use it for their defaults.
CREATE FUNCTION clock_now() RETURNS timestamptz LANGUAGE sql STABLE
  AS $$ SELECT date_trunc('milliseconds', clock_timestamp()) $$;
