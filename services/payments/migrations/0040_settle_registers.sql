ALTER TABLE "registers" ADD COLUMN "closed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "registers" ADD COLUMN "highest_position" bigint;--> statement-breakpoint
ALTER TABLE "registers" ADD COLUMN "settled_position" bigint;