-- The tables that every service with an outbox, an inbox and idempotent commands has, for the tests of the mechanisms.
CREATE FUNCTION clock_now() RETURNS timestamptz LANGUAGE sql STABLE
  AS $$ SELECT date_trunc('milliseconds', clock_timestamp()) $$;
--> statement-breakpoint
CREATE TABLE "outbox" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"message_id" uuid NOT NULL,
	"type" text NOT NULL,
	"aggregate_id" text NOT NULL,
	"payload" jsonb NOT NULL,
	"request_id" text,
	"traceparent" text,
	"occurred_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "inbox" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "inbox_received_at" ON "inbox" USING btree ("received_at");
--> statement-breakpoint
CREATE TABLE "idempotency_records" (
	"partner_id" text NOT NULL,
	"key" text NOT NULL,
	"operation" text NOT NULL,
	"body_sha256" char(64) NOT NULL,
	"object_id" text NOT NULL,
	"status" smallint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "idempotency_records_partner_id_key_pk" PRIMARY KEY("partner_id","key")
);
--> statement-breakpoint
CREATE INDEX "idempotency_records_created_at" ON "idempotency_records" USING btree ("created_at");
--> statement-breakpoint
CREATE TABLE "effects" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"name" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "relay_lease" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"fence" bigint DEFAULT 0 NOT NULL,
	"holder" uuid,
	"until" timestamp with time zone DEFAULT '-infinity' NOT NULL,
	CONSTRAINT "relay_lease_one" CHECK ("relay_lease"."one")
);
--> statement-breakpoint
INSERT INTO "relay_lease" DEFAULT VALUES;

--> statement-breakpoint
CREATE TABLE "dead_letters" (
	"dead_letter_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"message_id" text NOT NULL,
	"type" text NOT NULL,
	"aggregate_id" text NOT NULL,
	"occurred_at" text NOT NULL,
	"body" "bytea" NOT NULL,
	"request_id" text,
	"signature" text,
	"refused" boolean DEFAULT false NOT NULL,
	"died_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"status" text DEFAULT 'WAITING' NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"redriven_by" text,
	"redriven_at" timestamp (3) with time zone
);
