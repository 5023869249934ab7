-- Refunds and QR payments; with an account for refunds that are on their way.
CREATE TABLE "refunds" (
	"refund_id" uuid PRIMARY KEY NOT NULL,
	"payment_id" uuid NOT NULL,
	"partner_id" text NOT NULL,
	"merchant_refund_id" text,
	"amount_kopecks" bigint NOT NULL,
	"reason" text,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"failure_code" text,
	"bank_operation_id" text,
	"next_read_at" timestamp (3) with time zone,
	"read_count" smallint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"completed_at" timestamp (3) with time zone,
	CONSTRAINT "refunds_amount" CHECK (amount_kopecks > 0),
	CONSTRAINT "refunds_status" CHECK (status in ('PENDING', 'COMPLETED', 'FAILED')),
	CONSTRAINT "refunds_failure" CHECK ((failure_code is not null) = (status = 'FAILED')),
	CONSTRAINT "refunds_completed" CHECK ((completed_at is not null) = (status = 'COMPLETED'))
);
--> statement-breakpoint
ALTER TABLE "ledger_entries" DROP CONSTRAINT "ledger_entries_account_known";--> statement-breakpoint
ALTER TABLE "payments" DROP CONSTRAINT "payments_refunded";--> statement-breakpoint
DROP INDEX "ledger_entries_account";--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "nspk_url" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refund_reserved_kopecks" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_payment_id_payments_payment_id_fk" FOREIGN KEY ("payment_id") REFERENCES "payments"("payment_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_merchant_refund" ON "refunds" USING btree ("partner_id","merchant_refund_id") WHERE merchant_refund_id is not null;--> statement-breakpoint
CREATE INDEX "refunds_payment" ON "refunds" USING btree ("payment_id","created_at","refund_id");--> statement-breakpoint
CREATE INDEX "refunds_next_read" ON "refunds" USING btree ("next_read_at") WHERE next_read_at is not null;--> statement-breakpoint
CREATE INDEX "payments_qr_history" ON "payments" USING btree ("payment_point_id","created_at","payment_id") WHERE method = 'SBP_DYNAMIC_QR';--> statement-breakpoint
CREATE INDEX "ledger_entries_account" ON "ledger_entries" USING btree ("account","owner","position");--> statement-breakpoint
ALTER TABLE "ledger_entries" ADD CONSTRAINT "ledger_entries_account_known" CHECK (account in ('ACQUIRER_CLEARING', 'PARTNER_PAYABLE', 'FEE_INCOME', 'REFUNDS_IN_FLIGHT', 'SUSPENSE'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_refunded" CHECK (refunded_kopecks >= 0 and refund_reserved_kopecks between refunded_kopecks and amount_kopecks);