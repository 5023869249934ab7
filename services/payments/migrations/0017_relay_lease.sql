CREATE TABLE "relay_lease" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"fence" bigint DEFAULT 0 NOT NULL,
	"holder" uuid,
	"until" timestamp with time zone DEFAULT '-infinity' NOT NULL,
	CONSTRAINT "relay_lease_one" CHECK ("relay_lease"."one")
);

--> statement-breakpoint

-- The one row: whoever leads takes it, nobody makes another.

INSERT INTO "relay_lease" DEFAULT VALUES;
