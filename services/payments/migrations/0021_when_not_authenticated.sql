ALTER TABLE "proposals" DROP CONSTRAINT "proposals_kind";--> statement-breakpoint
ALTER TABLE "payment_points" ADD COLUMN "when_not_authenticated" text DEFAULT 'ACCEPT' NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "when_not_authenticated" text;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_kind" CHECK (kind in ('FEE', 'AUTHENTICATION', 'REFUND'));--> statement-breakpoint
ALTER TABLE "payment_points" ADD CONSTRAINT "payment_points_authentication" CHECK (when_not_authenticated in ('DECLINE', 'ACCEPT'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_authentication" CHECK (when_not_authenticated in ('DECLINE', 'ACCEPT'));