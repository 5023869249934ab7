ALTER TABLE "charges" ADD COLUMN "failure_code" text;--> statement-breakpoint
ALTER TABLE "charges" ADD COLUMN "ended_at" timestamp (3) with time zone;--> statement-breakpoint
CREATE INDEX "charges_declined" ON "charges" USING btree ("binding_id","ended_at") WHERE failure_code is not null;