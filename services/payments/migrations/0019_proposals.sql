CREATE TABLE "proposals" (
	"proposal_id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"subject_id" text NOT NULL,
	"asked" jsonb NOT NULL,
	"status" text NOT NULL,
	"proposed_by" text NOT NULL,
	"proposer_not_independent_of" text[] NOT NULL,
	"decided_by" text,
	"decided_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "proposals_kind" CHECK (kind in ('FEE', 'REFUND')),
	CONSTRAINT "proposals_status" CHECK (status in ('PROPOSED', 'CONFIRMED', 'REJECTED')),
	CONSTRAINT "proposals_decided" CHECK ((status <> 'PROPOSED') = (decided_by is not null and decided_at is not null)),
	CONSTRAINT "proposals_two_people" CHECK (status <> 'CONFIRMED' or decided_by <> proposed_by)
);
--> statement-breakpoint
CREATE INDEX "proposals_newest" ON "proposals" USING btree ("created_at","proposal_id");