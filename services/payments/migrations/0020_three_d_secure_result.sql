ALTER TABLE "payments" ADD COLUMN "three_ds_version" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "trans_status" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "eci" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "three_ds_server_trans_id" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "ds_trans_id" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "acs_trans_id" text;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_trans_status" CHECK (trans_status in ('Y', 'A', 'N', 'U', 'R', 'C', 'D', 'I'));