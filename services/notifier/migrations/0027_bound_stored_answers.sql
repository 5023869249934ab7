ALTER TABLE "events" ADD COLUMN "last_answer" "bytea";--> statement-breakpoint
ALTER TABLE "receivers" ADD COLUMN "answers_day" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "receivers" ADD COLUMN "answer_bytes" integer DEFAULT 0 NOT NULL;