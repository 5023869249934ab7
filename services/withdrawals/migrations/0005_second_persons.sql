ALTER TABLE "withdrawals" DROP CONSTRAINT "withdrawals_two_people";--> statement-breakpoint
ALTER TABLE "beneficiaries" ADD COLUMN "status" text DEFAULT 'ISSUED' NOT NULL;--> statement-breakpoint
-- What was issued by one person stays; from here on each says what it is.
ALTER TABLE "beneficiaries" ALTER COLUMN "status" DROP DEFAULT;--> statement-breakpoint
ALTER TABLE "beneficiaries" ADD COLUMN "issuer_not_independent_of" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "beneficiaries" ADD COLUMN "decided_by" text;--> statement-breakpoint
ALTER TABLE "beneficiaries" ADD COLUMN "decided_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "beneficiaries" ADD COLUMN "expires_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "fundings" ADD COLUMN "proposer_not_independent_of" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "reviewer_not_independent_of" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD COLUMN "failed_by" text;--> statement-breakpoint
ALTER TABLE "beneficiaries" ADD CONSTRAINT "beneficiaries_status" CHECK (status in ('PROPOSED', 'ISSUED', 'REJECTED'));--> statement-breakpoint
ALTER TABLE "beneficiaries" ADD CONSTRAINT "beneficiaries_proposed" CHECK (status <> 'PROPOSED' or (decided_by is null and expires_at is not null));--> statement-breakpoint
ALTER TABLE "beneficiaries" ADD CONSTRAINT "beneficiaries_two_people" CHECK (status <> 'ISSUED' or decided_by <> issued_by);--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_two_people" CHECK (completed_by <> reviewed_by and failed_by <> reviewed_by);