-- allow constraint-at-once: few rows, one for each recipient
ALTER TABLE "beneficiaries" DROP CONSTRAINT "beneficiaries_status";--> statement-breakpoint
ALTER TABLE "beneficiaries" ADD COLUMN "revoked_by" text;--> statement-breakpoint
ALTER TABLE "beneficiaries" ADD COLUMN "revoked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "beneficiaries" ADD COLUMN "revoke_reason" text;--> statement-breakpoint
ALTER TABLE "beneficiaries" ADD CONSTRAINT "beneficiaries_revoked" CHECK ((status = 'REVOKED') = (revoked_by is not null and revoked_at is not null and revoke_reason is not null));--> statement-breakpoint
ALTER TABLE "beneficiaries" ADD CONSTRAINT "beneficiaries_status" CHECK (status in ('PROPOSED', 'ISSUED', 'REJECTED', 'REVOKED'));