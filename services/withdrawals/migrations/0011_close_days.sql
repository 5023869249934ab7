CREATE TABLE "register_lines" (
	"ledger_transaction_id" uuid PRIMARY KEY NOT NULL,
	"register_id" uuid NOT NULL,
	"line" integer NOT NULL,
	"booked_at" timestamp (3) with time zone NOT NULL,
	"type" text NOT NULL,
	"store_id" text NOT NULL,
	"withdrawal_request_id" uuid,
	"funding_id" uuid,
	"beneficiary_ref" text,
	"transfer_reference" text,
	"amount_micro_usdt" bigint NOT NULL,
	"available_change_micro_usdt" bigint NOT NULL,
	"reserved_change_micro_usdt" bigint NOT NULL,
	"available_micro_usdt" bigint NOT NULL,
	"reserved_micro_usdt" bigint NOT NULL,
	CONSTRAINT "register_lines_type" CHECK (type in ('FUNDING', 'WITHDRAWAL_REQUESTED', 'WITHDRAWAL_REJECTED', 'WITHDRAWAL_CANCELLED', 'WITHDRAWAL_FAILED', 'WITHDRAWAL_COMPLETED')),
	CONSTRAINT "register_lines_subject" CHECK ((type = 'FUNDING') = (funding_id is not null) and (type = 'FUNDING') = (withdrawal_request_id is null))
);
--> statement-breakpoint
CREATE TABLE "registers" (
	"register_id" uuid PRIMARY KEY NOT NULL,
	"partner_id" text NOT NULL,
	"day" date NOT NULL,
	"opening_available_micro_usdt" bigint NOT NULL,
	"opening_reserved_micro_usdt" bigint NOT NULL,
	"funded_micro_usdt" bigint NOT NULL,
	"requested_micro_usdt" bigint NOT NULL,
	"released_micro_usdt" bigint NOT NULL,
	"completed_micro_usdt" bigint NOT NULL,
	"closing_available_micro_usdt" bigint NOT NULL,
	"closing_reserved_micro_usdt" bigint NOT NULL,
	"line_count" integer NOT NULL,
	"made_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "registers_available" CHECK (closing_available_micro_usdt = opening_available_micro_usdt + funded_micro_usdt - requested_micro_usdt + released_micro_usdt),
	CONSTRAINT "registers_reserved" CHECK (closing_reserved_micro_usdt = opening_reserved_micro_usdt + requested_micro_usdt - released_micro_usdt - completed_micro_usdt)
);
--> statement-breakpoint
CREATE UNIQUE INDEX "register_lines_line" ON "register_lines" USING btree ("register_id","line");--> statement-breakpoint
CREATE UNIQUE INDEX "registers_day" ON "registers" USING btree ("partner_id","day");