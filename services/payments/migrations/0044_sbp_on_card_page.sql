ALTER TABLE "payment_points" ADD COLUMN "sbp_on_card_page" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "is_sbp_order" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "switched_count" smallint DEFAULT 0 NOT NULL;