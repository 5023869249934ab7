CREATE TABLE "dead_letters" (
	"dead_letter_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"message_id" text NOT NULL,
	"type" text NOT NULL,
	"aggregate_id" text NOT NULL,
	"occurred_at" text NOT NULL,
	"body" "bytea" NOT NULL,
	"request_id" text,
	"died_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"status" text DEFAULT 'WAITING' NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"last_error" text,
	"redriven_by" text,
	"redriven_at" timestamp (3) with time zone,
	CONSTRAINT "dead_letters_status" CHECK (status in ('WAITING', 'REDRIVEN'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX "dead_letters_message" ON "dead_letters" USING btree ("message_id") WHERE message_id <> '';--> statement-breakpoint
CREATE INDEX "dead_letters_newest" ON "dead_letters" USING btree ("died_at","dead_letter_id");