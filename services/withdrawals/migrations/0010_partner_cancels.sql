ALTER TABLE "withdrawals" ADD COLUMN "cancelled_by" text;--> statement-breakpoint
UPDATE "withdrawals" SET "cancelled_by" = 'OPERATOR' WHERE "status" = 'CANCELLED';--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_cancelled" CHECK (cancelled_by is null or (status = 'CANCELLED' and cancelled_by in ('PARTNER', 'OPERATOR')));