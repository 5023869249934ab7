ALTER TABLE "proposals" DROP CONSTRAINT "proposals_kind";--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_kind" CHECK (kind in ('POINT', 'FEE', 'AUTHENTICATION', 'REFUND'));