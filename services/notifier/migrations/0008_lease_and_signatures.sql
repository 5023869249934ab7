CREATE TABLE "relay_lease" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"fence" bigint DEFAULT 0 NOT NULL,
	"holder" uuid,
	"until" timestamp with time zone DEFAULT '-infinity' NOT NULL,
	CONSTRAINT "relay_lease_one" CHECK ("relay_lease"."one")
);
--> statement-breakpoint
DROP INDEX "dead_letters_message";--> statement-breakpoint
ALTER TABLE "dead_letters" ADD COLUMN "signature" text;--> statement-breakpoint
ALTER TABLE "dead_letters" ADD COLUMN "refused" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "dead_letters_message" ON "dead_letters" USING btree ("message_id") WHERE message_id <> '' and not refused;
--> statement-breakpoint
-- The one row: whoever leads takes it, nobody makes another.
INSERT INTO "relay_lease" DEFAULT VALUES;
