CREATE TABLE "operator_actions" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"operator" text NOT NULL,
	"action" text NOT NULL,
	"subject_id" text NOT NULL,
	"before" jsonb,
	"after" jsonb NOT NULL,
	"request_id" text
);
--> statement-breakpoint
DROP INDEX "payments_created";--> statement-breakpoint
DROP INDEX "payments_merchant_order";--> statement-breakpoint
DROP INDEX "refunds_merchant_refund";--> statement-breakpoint
ALTER TABLE "payment_points" ADD COLUMN "revision" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
CREATE INDEX "operator_actions_subject" ON "operator_actions" USING btree ("subject_id","position");--> statement-breakpoint
CREATE INDEX "payments_customer" ON "payments" USING btree ("customer_id");--> statement-breakpoint
CREATE INDEX "payments_bank_operation" ON "payments" USING btree ("bank_operation_id") WHERE bank_operation_id is not null;--> statement-breakpoint
CREATE INDEX "payments_binding" ON "payments" USING btree ("binding_id") WHERE binding_id is not null;--> statement-breakpoint
CREATE INDEX "payments_consent" ON "payments" USING btree ("consent_id") WHERE consent_id is not null;--> statement-breakpoint
CREATE INDEX "payments_newest" ON "payments" USING btree ("created_at","payment_id");--> statement-breakpoint
CREATE INDEX "refunds_bank_operation" ON "refunds" USING btree ("bank_operation_id") WHERE bank_operation_id is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "payments_merchant_order" ON "payments" USING btree ("merchant_order_id","partner_id") WHERE merchant_order_id <> '';--> statement-breakpoint
CREATE UNIQUE INDEX "refunds_merchant_refund" ON "refunds" USING btree ("merchant_refund_id","partner_id") WHERE merchant_refund_id is not null;--> statement-breakpoint
-- What operators did stays written.
REVOKE UPDATE, DELETE, TRUNCATE ON operator_actions FROM CURRENT_USER;
