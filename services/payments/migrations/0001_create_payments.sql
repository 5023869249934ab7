CREATE TABLE "exceptions" (
	"exception_id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"payment_id" uuid NOT NULL,
	"bank_operation_id" text,
	"bank_amount_kopecks" bigint,
	"bank_currency" text,
	"status" text DEFAULT 'OPEN' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"resolved_at" timestamp (3) with time zone,
	CONSTRAINT "exceptions_status" CHECK (status in ('OPEN', 'RESOLVED'))
);
--> statement-breakpoint
CREATE TABLE "idempotency_records" (
	"partner_id" text NOT NULL,
	"key" text NOT NULL,
	"operation" text NOT NULL,
	"body_sha256" char(64) NOT NULL,
	"object_id" text NOT NULL,
	"status" smallint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "idempotency_records_partner_id_key_pk" PRIMARY KEY("partner_id","key")
);
--> statement-breakpoint
CREATE TABLE "inbox" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "integration_endpoints" (
	"partner_id" text PRIMARY KEY NOT NULL,
	"callback_url" text NOT NULL,
	"return_url" text NOT NULL,
	"revision" integer NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ledger_entries" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"ledger_transaction_id" uuid NOT NULL,
	"account" text NOT NULL,
	"owner" text NOT NULL,
	"amount_kopecks" bigint NOT NULL,
	CONSTRAINT "ledger_entries_amount" CHECK (amount_kopecks <> 0),
	CONSTRAINT "ledger_entries_account_known" CHECK (account in ('ACQUIRER_CLEARING', 'PARTNER_PAYABLE', 'FEE_INCOME', 'SUSPENSE'))
);
--> statement-breakpoint
CREATE TABLE "ledger_transactions" (
	"ledger_transaction_id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"reference_id" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "money_returns" (
	"return_id" uuid PRIMARY KEY NOT NULL,
	"payment_id" uuid NOT NULL,
	"route_id" text NOT NULL,
	"amount_kopecks" bigint NOT NULL,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"attempt_count" smallint DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "money_returns_payment" UNIQUE("payment_id"),
	CONSTRAINT "money_returns_status" CHECK (status in ('PENDING', 'COMPLETED', 'FAILED'))
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"message_id" uuid NOT NULL,
	"type" text NOT NULL,
	"aggregate_id" text NOT NULL,
	"payload" jsonb NOT NULL,
	"request_id" text,
	"traceparent" text,
	"occurred_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payment_points" (
	"payment_point_id" text PRIMARY KEY NOT NULL,
	"store_id" text NOT NULL,
	"partner_id" text NOT NULL,
	"name" text NOT NULL,
	"status" text DEFAULT 'ACTIVE' NOT NULL,
	"payment_methods" text[] NOT NULL,
	"route_id" text NOT NULL,
	"min_amount_kopecks" bigint DEFAULT 1 NOT NULL,
	"max_amount_kopecks" bigint DEFAULT 100000000 NOT NULL,
	"fee_basis_points" integer DEFAULT 0 NOT NULL,
	"session_minutes" integer DEFAULT 60 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "payment_points_status" CHECK (status in ('ACTIVE', 'SUSPENDED', 'CLOSED')),
	CONSTRAINT "payment_points_amounts" CHECK (min_amount_kopecks > 0 and max_amount_kopecks >= min_amount_kopecks),
	CONSTRAINT "payment_points_fee" CHECK (fee_basis_points between 0 and 10000),
	CONSTRAINT "payment_points_session" CHECK (session_minutes between 5 and 1440)
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"payment_id" uuid PRIMARY KEY NOT NULL,
	"partner_id" text NOT NULL,
	"payment_point_id" text NOT NULL,
	"route_id" text NOT NULL,
	"method" text NOT NULL,
	"merchant_order_id" text NOT NULL,
	"amount_kopecks" bigint NOT NULL,
	"currency" text DEFAULT 'RUB' NOT NULL,
	"description" text NOT NULL,
	"customer_id" text NOT NULL,
	"return_url" text,
	"fee_basis_points" integer NOT NULL,
	"status" text NOT NULL,
	"failure_code" text,
	"aggregate_version" integer DEFAULT 0 NOT NULL,
	"form_token" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"bank_operation_id" text,
	"register_lease_until" timestamp (3) with time zone,
	"card_sent_at" timestamp (3) with time zone,
	"acs_url" text,
	"card_mask" text,
	"card_expiry" text,
	"card_token_encrypted" text,
	"next_read_at" timestamp (3) with time zone,
	"read_count" smallint DEFAULT 0 NOT NULL,
	"last_read_at" timestamp (3) with time zone,
	"ledger_transaction_id" uuid,
	"refunded_kopecks" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "payments_form_token" UNIQUE("form_token"),
	CONSTRAINT "payments_amount" CHECK (amount_kopecks > 0),
	CONSTRAINT "payments_refunded" CHECK (refunded_kopecks between 0 and amount_kopecks),
	CONSTRAINT "payments_status" CHECK (status in ('CREATED', 'SUBMITTED', 'PENDING', 'COMPLETED', 'REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED', 'REFUNDED')),
	CONSTRAINT "payments_failure" CHECK ((failure_code is not null) = (status in ('REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED'))),
	CONSTRAINT "payments_booked" CHECK ((ledger_transaction_id is not null) = (status in ('COMPLETED', 'REFUNDED')))
);
--> statement-breakpoint
CREATE TABLE "routes" (
	"route_id" text PRIMARY KEY NOT NULL,
	"connector" text NOT NULL,
	"status" text DEFAULT 'ACTIVE' NOT NULL,
	"min_amount_kopecks" bigint DEFAULT 1 NOT NULL,
	"max_amount_kopecks" bigint DEFAULT 100000000 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "routes_status" CHECK (status in ('ACTIVE', 'SUSPENDED')),
	CONSTRAINT "routes_amounts" CHECK (min_amount_kopecks > 0 and max_amount_kopecks >= min_amount_kopecks)
);
--> statement-breakpoint
CREATE TABLE "stores" (
	"store_id" text PRIMARY KEY NOT NULL,
	"partner_id" text NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "exceptions" ADD CONSTRAINT "exceptions_payment_id_payments_payment_id_fk" FOREIGN KEY ("payment_id") REFERENCES "payments"("payment_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "money_returns" ADD CONSTRAINT "money_returns_payment_id_payments_payment_id_fk" FOREIGN KEY ("payment_id") REFERENCES "payments"("payment_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_points" ADD CONSTRAINT "payment_points_store_id_stores_store_id_fk" FOREIGN KEY ("store_id") REFERENCES "stores"("store_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payment_points" ADD CONSTRAINT "payment_points_route_id_routes_route_id_fk" FOREIGN KEY ("route_id") REFERENCES "routes"("route_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_payment_point_id_payment_points_payment_point_id_fk" FOREIGN KEY ("payment_point_id") REFERENCES "payment_points"("payment_point_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_route_id_routes_route_id_fk" FOREIGN KEY ("route_id") REFERENCES "routes"("route_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "exceptions_once" ON "exceptions" USING btree ("payment_id","kind");--> statement-breakpoint
CREATE INDEX "exceptions_open" ON "exceptions" USING btree ("created_at") WHERE status = 'OPEN';--> statement-breakpoint
CREATE INDEX "idempotency_records_created_at" ON "idempotency_records" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "inbox_received_at" ON "inbox" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "ledger_entries_transaction" ON "ledger_entries" USING btree ("ledger_transaction_id");--> statement-breakpoint
CREATE INDEX "ledger_entries_account" ON "ledger_entries" USING btree ("account","owner");--> statement-breakpoint
CREATE UNIQUE INDEX "ledger_transactions_once" ON "ledger_transactions" USING btree ("kind","reference_id");--> statement-breakpoint
CREATE INDEX "money_returns_due" ON "money_returns" USING btree ("next_attempt_at") WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX "payment_points_partner" ON "payment_points" USING btree ("partner_id");--> statement-breakpoint
CREATE UNIQUE INDEX "payments_merchant_order" ON "payments" USING btree ("partner_id","merchant_order_id") WHERE merchant_order_id <> '';--> statement-breakpoint
CREATE INDEX "payments_next_read" ON "payments" USING btree ("next_read_at") WHERE next_read_at is not null;--> statement-breakpoint
CREATE INDEX "payments_point" ON "payments" USING btree ("payment_point_id","created_at","payment_id");--> statement-breakpoint
CREATE INDEX "stores_partner" ON "stores" USING btree ("partner_id");