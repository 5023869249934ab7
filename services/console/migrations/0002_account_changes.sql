-- What one administrator proposes for an account takes effect when another one confirms it.
CREATE TABLE "account_changes" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"login" text NOT NULL,
	"name" text,
	"role" text,
	"sign_in" text,
	"status" text NOT NULL,
	"proposed_by" text NOT NULL,
	"proposed_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"decided_by" text,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "account_changes_kind" CHECK (kind in ('create', 'role', 'enable', 'reset-second-factor', 'new-password')),
	CONSTRAINT "account_changes_status" CHECK (status in ('PROPOSED', 'CONFIRMED', 'REJECTED', 'EXPIRED')),
	CONSTRAINT "account_changes_two_people" CHECK (status <> 'CONFIRMED' or (decided_by is not null and decided_at is not null and decided_by not in (proposed_by, login)))
);
--> statement-breakpoint
ALTER TABLE "operators" ADD COLUMN "first_password_until" timestamp (3) with time zone;--> statement-breakpoint
CREATE UNIQUE INDEX "account_changes_one_proposal" ON "account_changes" USING btree ("login") WHERE status = 'PROPOSED';--> statement-breakpoint
CREATE INDEX "account_changes_decided_at" ON "account_changes" USING btree ("decided_at");--> statement-breakpoint
CREATE INDEX "account_changes_proposed_at" ON "account_changes" USING btree ("proposed_at");--> statement-breakpoint
-- They say who made or reset whom.
REVOKE DELETE, TRUNCATE ON account_changes FROM CURRENT_USER;
