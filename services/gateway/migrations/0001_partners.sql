-- Partners, their keys, their token buckets, and what operators did. (Names are unqualified: the schema is the role's search path.)
CREATE SEQUENCE "partner_revision" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
CREATE TABLE "operator_audit" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"operator" text NOT NULL,
	"action" text NOT NULL,
	"partner_id" text NOT NULL,
	"key_id" uuid,
	"detail" text,
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "partner_keys" (
	"key_id" uuid PRIMARY KEY NOT NULL,
	"partner_id" text NOT NULL,
	"public_key" text NOT NULL,
	"comment" text,
	"fingerprint" text NOT NULL,
	"status" text NOT NULL,
	"registered_by" text NOT NULL,
	"registered_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"activated_by" text,
	"activated_at" timestamp (3) with time zone,
	"revoked_by" text,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "partner_keys_public_key_unique" UNIQUE("public_key"),
	CONSTRAINT "partner_keys_status" CHECK (status in ('REGISTERED', 'ACTIVE', 'REVOKED')),
	CONSTRAINT "partner_keys_two_persons" CHECK (activated_by <> registered_by),
	CONSTRAINT "partner_keys_activated" CHECK (status <> 'ACTIVE' or activated_by is not null)
);
--> statement-breakpoint
CREATE TABLE "partners" (
	"partner_id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"status" text NOT NULL,
	"rate_per_second" integer DEFAULT 200 NOT NULL,
	"burst" integer DEFAULT 400 NOT NULL,
	"revision" bigint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "partners_status" CHECK (status in ('ACTIVE', 'SUSPENDED')),
	CONSTRAINT "partners_rate" CHECK (rate_per_second > 0 and burst > 0)
);
--> statement-breakpoint
CREATE TABLE "rate_buckets" (
	"partner_id" text PRIMARY KEY NOT NULL,
	"tokens" double precision NOT NULL,
	"refilled_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "partner_keys" ADD CONSTRAINT "partner_keys_partner_id_partners_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"("partner_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "operator_audit_partner" ON "operator_audit" USING btree ("partner_id","position");--> statement-breakpoint
CREATE INDEX "partner_keys_partner" ON "partner_keys" USING btree ("partner_id");--> statement-breakpoint
CREATE INDEX "partners_revision" ON "partners" USING btree ("revision");