ALTER TABLE "money_returns" DROP CONSTRAINT "money_returns_payment";--> statement-breakpoint
ALTER TABLE "money_returns" ADD COLUMN "why" text DEFAULT 'LATE_SUCCESS' NOT NULL;--> statement-breakpoint
ALTER TABLE "money_returns" ADD COLUMN "bank_operation_id" text;--> statement-breakpoint
UPDATE "money_returns" SET "bank_operation_id" = coalesce((SELECT p."bank_operation_id" FROM "payments" p WHERE p."payment_id" = "money_returns"."payment_id"), '');--> statement-breakpoint
ALTER TABLE "money_returns" ALTER COLUMN "bank_operation_id" SET NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX "money_returns_once" ON "money_returns" USING btree ("payment_id","bank_operation_id");--> statement-breakpoint
CREATE UNIQUE INDEX "money_returns_late" ON "money_returns" USING btree ("payment_id") WHERE why = 'LATE_SUCCESS';--> statement-breakpoint
ALTER TABLE "money_returns" ADD CONSTRAINT "money_returns_why" CHECK (why in ('LATE_SUCCESS', 'PAID_TWICE'));