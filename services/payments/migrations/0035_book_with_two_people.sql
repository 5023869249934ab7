-- allow constraint-at-once: few rows, one for each proposal
ALTER TABLE "proposals" DROP CONSTRAINT "proposals_kind";--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_kind" CHECK (kind in ('POINT', 'FEE', 'AUTHENTICATION', 'REFUND', 'RETURN', 'BOOK'));
