ALTER TABLE "operations" ADD COLUMN "notify_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "operations" ADD COLUMN "notify_attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "operations_notify" ON "operations" USING btree ("notify_at") WHERE notify_at is not null;