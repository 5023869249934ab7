ALTER TABLE "receivers" ADD COLUMN "replay_minute" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "receivers" ADD COLUMN "replays_in_minute" integer DEFAULT 0 NOT NULL;