ALTER TABLE "payments" ADD COLUMN "receipt" jsonb;--> statement-breakpoint
ALTER TABLE "refunds" ADD COLUMN "receipt" jsonb;