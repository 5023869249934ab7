CREATE TABLE "balances" (
	"store_id" text PRIMARY KEY NOT NULL,
	"available_micro_usdt" bigint NOT NULL,
	"reserved_micro_usdt" bigint NOT NULL,
	"paid_micro_usdt" bigint NOT NULL,
	"credited_micro_usdt" bigint NOT NULL,
	CONSTRAINT "balances_not_negative" CHECK (least(available_micro_usdt, reserved_micro_usdt, paid_micro_usdt) >= 0),
	CONSTRAINT "balances_whole" CHECK (available_micro_usdt + reserved_micro_usdt + paid_micro_usdt = credited_micro_usdt)
);
--> statement-breakpoint
CREATE TABLE "beneficiaries" (
	"beneficiary_ref" text PRIMARY KEY NOT NULL,
	"partner_id" text NOT NULL,
	"label" text NOT NULL,
	"issued_by" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "fundings" (
	"funding_id" uuid PRIMARY KEY NOT NULL,
	"store_id" text NOT NULL,
	"amount_micro_usdt" bigint NOT NULL,
	"amount_kopecks" bigint NOT NULL,
	"rate_micro_rub" bigint NOT NULL,
	"reference" text NOT NULL,
	"status" text NOT NULL,
	"proposed_by" text NOT NULL,
	"decided_by" text,
	"decided_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "fundings_amounts" CHECK (least(amount_micro_usdt, amount_kopecks, rate_micro_rub) > 0),
	CONSTRAINT "fundings_status" CHECK (status in ('PROPOSED', 'CONFIRMED', 'REJECTED')),
	CONSTRAINT "fundings_decided" CHECK ((status <> 'PROPOSED') = (decided_by is not null and decided_at is not null)),
	CONSTRAINT "fundings_two_people" CHECK (status <> 'CONFIRMED' or decided_by <> proposed_by)
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"ledger_transaction_id" uuid NOT NULL,
	"store_id" text NOT NULL,
	"account" text NOT NULL,
	"amount_micro_usdt" bigint NOT NULL,
	CONSTRAINT "ledger_entries_amount" CHECK (amount_micro_usdt <> 0),
	CONSTRAINT "ledger_entries_account" CHECK (account in ('AVAILABLE', 'RESERVED', 'PAID', 'FUNDING'))
);
--> statement-breakpoint
CREATE TABLE "ledger_transactions" (
	"ledger_transaction_id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"reference_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "ledger_transactions_kind" CHECK (kind in ('FUNDED', 'RESERVED', 'RELEASED', 'PAID'))
);
--> statement-breakpoint
CREATE TABLE "operator_audit" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"operator" text NOT NULL,
	"action" text NOT NULL,
	"subject_id" text NOT NULL,
	"partner_id" text NOT NULL,
	"request_id" text,
	"before" jsonb,
	"after" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "withdrawals" (
	"withdrawal_request_id" uuid PRIMARY KEY NOT NULL,
	"partner_id" text NOT NULL,
	"store_id" text NOT NULL,
	"beneficiary_ref" text NOT NULL,
	"amount_micro_usdt" bigint NOT NULL,
	"status" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"taken_by" text,
	"taken_until" timestamp (3) with time zone,
	"reviewed_by" text,
	"reviewed_at" timestamp (3) with time zone,
	"completed_by" text,
	"completed_at" timestamp (3) with time zone,
	"transfer_reference" text,
	"status_reason" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "withdrawals_amount" CHECK (amount_micro_usdt > 0),
	CONSTRAINT "withdrawals_status_known" CHECK (status in ('REQUESTED', 'IN_REVIEW', 'APPROVED', 'COMPLETED', 'REJECTED', 'CANCELLED', 'FAILED')),
	CONSTRAINT "withdrawals_taken" CHECK ((taken_by is null) = (taken_until is null)),
	CONSTRAINT "withdrawals_approved" CHECK (status not in ('APPROVED', 'COMPLETED', 'FAILED') or reviewed_by is not null),
	CONSTRAINT "withdrawals_completed" CHECK ((status = 'COMPLETED') = (completed_by is not null and completed_at is not null and transfer_reference is not null)),
	CONSTRAINT "withdrawals_two_people" CHECK (completed_by <> reviewed_by),
	CONSTRAINT "withdrawals_reason" CHECK ((status_reason is not null) = (status in ('REJECTED', 'CANCELLED', 'FAILED')))
);
--> statement-breakpoint
ALTER TABLE "balances" ADD CONSTRAINT "balances_store_id_stores_store_id_fk" FOREIGN KEY ("store_id") REFERENCES "stores"("store_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "fundings" ADD CONSTRAINT "fundings_store_id_stores_store_id_fk" FOREIGN KEY ("store_id") REFERENCES "stores"("store_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_store_id_stores_store_id_fk" FOREIGN KEY ("store_id") REFERENCES "stores"("store_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_store_id_stores_store_id_fk" FOREIGN KEY ("store_id") REFERENCES "stores"("store_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "withdrawals" ADD CONSTRAINT "withdrawals_beneficiary_ref_beneficiaries_beneficiary_ref_fk" FOREIGN KEY ("beneficiary_ref") REFERENCES "beneficiaries"("beneficiary_ref") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "beneficiaries_partner" ON "beneficiaries" USING btree ("partner_id","beneficiary_ref");--> statement-breakpoint
CREATE UNIQUE INDEX "fundings_reference" ON "fundings" USING btree ("reference") WHERE status <> 'REJECTED';--> statement-breakpoint
CREATE INDEX "fundings_newest" ON "fundings" USING btree ("created_at","funding_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_transaction" ON "ledger_entries" USING btree ("ledger_transaction_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_store" ON "ledger_entries" USING btree ("store_id","account");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_transactions_once" ON "ledger_transactions" USING btree ("kind","reference_id");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_transactions_one_end" ON "ledger_transactions" USING btree ("reference_id") WHERE kind in ('RELEASED', 'PAID');--> statement-breakpoint
CREATE INDEX "operator_audit_subject" ON "operator_audit" USING btree ("subject_id","position");--> statement-breakpoint
CREATE INDEX "operator_audit_partner" ON "operator_audit" USING btree ("partner_id","position");--> statement-breakpoint
CREATE UNIQUE INDEX "withdrawals_transfer_reference" ON "withdrawals" USING btree (lower("transfer_reference"));--> statement-breakpoint
CREATE INDEX "withdrawals_partner" ON "withdrawals" USING btree ("partner_id","created_at","withdrawal_request_id");--> statement-breakpoint
CREATE INDEX "withdrawals_status" ON "withdrawals" USING btree ("status","created_at","withdrawal_request_id");