-- allow constraint-at-once: both tables have few rows, one for each late payment and each proposal
ALTER TABLE "money_returns" DROP CONSTRAINT "money_returns_why";--> statement-breakpoint
ALTER TABLE "proposals" DROP CONSTRAINT "proposals_kind";--> statement-breakpoint
ALTER TABLE "money_returns" DROP CONSTRAINT "money_returns_payment_id_payments_payment_id_fk";
--> statement-breakpoint
ALTER TABLE "reconciliation_items" ADD COLUMN "original_operation_id" text;--> statement-breakpoint
ALTER TABLE "money_returns" ADD CONSTRAINT "money_returns_why" CHECK (why in ('LATE_SUCCESS', 'PAID_TWICE', 'UNKNOWN_ORDER'));--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_kind" CHECK (kind in ('POINT', 'FEE', 'AUTHENTICATION', 'REFUND', 'RETURN'));
