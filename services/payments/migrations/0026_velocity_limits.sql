CREATE TABLE "velocity_limits" (
	"rule" text PRIMARY KEY NOT NULL,
	"cards_max" integer NOT NULL,
	CONSTRAINT "velocity_limits_rule" CHECK (rule in ('address', 'bin', 'point'))
);
