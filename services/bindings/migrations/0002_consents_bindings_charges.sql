CREATE TABLE "bindings" (
	"binding_id" uuid PRIMARY KEY NOT NULL,
	"partner_id" text NOT NULL,
	"customer_id" text NOT NULL,
	"consent_id" uuid NOT NULL,
	"period" text NOT NULL,
	"status" text NOT NULL,
	"card_mask" text,
	"card_expiry" text,
	"last_charged_at" timestamp (3) with time zone NOT NULL,
	"next_charge_at" timestamp (3) with time zone NOT NULL,
	"anchor_day" smallint NOT NULL,
	"open_payment_id" uuid,
	"aggregate_version" integer NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "bindings_status" CHECK (status in ('ACTIVE', 'REVOKED', 'EXPIRED')),
	CONSTRAINT "bindings_revoked" CHECK ((status = 'REVOKED') = (revoked_at is not null)),
	CONSTRAINT "bindings_period" CHECK (period in ('PT1M', 'PT1H', 'P1D', 'P1W', 'P1M', 'P1Y')),
	CONSTRAINT "bindings_next" CHECK (next_charge_at > last_charged_at),
	CONSTRAINT "bindings_anchor" CHECK (anchor_day between 1 and 31),
	CONSTRAINT "bindings_expiry" CHECK (card_expiry ~ '^[0-9]{4}-(0[1-9]|1[0-2])$')
);
--> statement-breakpoint
CREATE TABLE "charges" (
	"payment_id" uuid PRIMARY KEY NOT NULL,
	"binding_id" uuid NOT NULL,
	"partner_id" text NOT NULL,
	"merchant_order_id" text NOT NULL,
	"amount_kopecks" bigint NOT NULL,
	"description" text NOT NULL,
	"status" text NOT NULL,
	"idempotency_key" text NOT NULL,
	"attempt_count" integer NOT NULL,
	"leased_until" timestamp (3) with time zone NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "charges_amount" CHECK (amount_kopecks > 0),
	CONSTRAINT "charges_status" CHECK (status in ('CREATED', 'SUBMITTED', 'PENDING', 'COMPLETED', 'REJECTED', 'EXPIRED', 'FAILED', 'CANCELLED'))
);
--> statement-breakpoint
CREATE TABLE "consents" (
	"consent_id" uuid PRIMARY KEY NOT NULL,
	"binding_id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"partner_id" text NOT NULL,
	"customer_id" text NOT NULL,
	"store_name" text,
	"period" text NOT NULL,
	"consent_capture" text NOT NULL,
	"text" text,
	"version" text NOT NULL,
	"sha256" text NOT NULL,
	"reference" text,
	"accepted_at" timestamp (3) with time zone NOT NULL,
	"address" text,
	"user_agent" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "consents_capture" CHECK (consent_capture in ('SERVICE', 'MERCHANT')),
	CONSTRAINT "consents_text" CHECK ((text is not null) = (consent_capture = 'SERVICE')),
	CONSTRAINT "consents_sha256" CHECK (sha256 ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
ALTER TABLE "charges" ADD CONSTRAINT "charges_binding_id_bindings_binding_id_fk" FOREIGN KEY ("binding_id") REFERENCES "bindings"("binding_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bindings_buyer" ON "bindings" USING btree ("partner_id","customer_id","created_at","binding_id");--> statement-breakpoint
CREATE UNIQUE INDEX "charges_order" ON "charges" USING btree ("partner_id","merchant_order_id");--> statement-breakpoint
CREATE UNIQUE INDEX "charges_one_open" ON "charges" USING btree ("binding_id") WHERE status in ('CREATED', 'SUBMITTED', 'PENDING');--> statement-breakpoint
CREATE INDEX "charges_not_handed_over" ON "charges" USING btree ("leased_until") WHERE status = 'CREATED';--> statement-breakpoint
CREATE UNIQUE INDEX "consents_binding" ON "consents" USING btree ("binding_id");