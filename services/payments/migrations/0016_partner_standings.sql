CREATE TABLE "partner_standings" (
	"partner_id" text PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"revision" bigint NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "partner_standings_status" CHECK (status in ('ACTIVE', 'SUSPENDED'))
);
