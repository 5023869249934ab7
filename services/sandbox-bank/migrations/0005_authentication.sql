ALTER TABLE "operations" ADD COLUMN "three_ds_version" text;--> statement-breakpoint
ALTER TABLE "operations" ADD COLUMN "trans_status" text;--> statement-breakpoint
ALTER TABLE "operations" ADD COLUMN "eci" text;--> statement-breakpoint
ALTER TABLE "operations" ADD COLUMN "three_ds_server_trans_id" uuid;--> statement-breakpoint
ALTER TABLE "operations" ADD COLUMN "ds_trans_id" uuid;--> statement-breakpoint
ALTER TABLE "operations" ADD COLUMN "acs_trans_id" uuid;