CREATE TABLE "register_lines" (
	"ledger_transaction_id" uuid PRIMARY KEY NOT NULL,
	"register_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"booked_at" timestamp (3) with time zone NOT NULL,
	"type" text NOT NULL,
	"payment_id" uuid NOT NULL,
	"merchant_order_id" text NOT NULL,
	"refund_id" uuid,
	"merchant_refund_id" text,
	"payment_point_id" text NOT NULL,
	"method" text NOT NULL,
	"amount_kopecks" bigint NOT NULL,
	"fee_kopecks" bigint NOT NULL,
	"balance_kopecks" bigint NOT NULL,
	CONSTRAINT "register_lines_type" CHECK (type in ('PAYMENT', 'RECURRING_CHARGE', 'REFUND', 'REFUND_FAILED'))
);
--> statement-breakpoint
CREATE TABLE "registers" (
	"register_id" uuid PRIMARY KEY NOT NULL,
	"partner_id" text NOT NULL,
	"day" date NOT NULL,
	"opening_kopecks" bigint NOT NULL,
	"payments_kopecks" bigint NOT NULL,
	"charges_kopecks" bigint NOT NULL,
	"refunds_kopecks" bigint NOT NULL,
	"fees_kopecks" bigint NOT NULL,
	"closing_kopecks" bigint NOT NULL,
	"line_count" integer NOT NULL,
	"made_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "registers_sum" CHECK (closing_kopecks = opening_kopecks + payments_kopecks + charges_kopecks + refunds_kopecks + fees_kopecks)
);
--> statement-breakpoint
CREATE UNIQUE INDEX "register_lines_line" ON "register_lines" USING btree ("register_id","line");--> statement-breakpoint
CREATE UNIQUE INDEX "registers_day" ON "registers" USING btree ("partner_id","day");