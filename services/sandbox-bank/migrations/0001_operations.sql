CREATE TABLE "clock_offset" (
	"id" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"milliseconds" bigint DEFAULT 0 NOT NULL,
	CONSTRAINT "clock_offset_one_row" CHECK (id),
	CONSTRAINT "clock_offset_forward" CHECK (milliseconds >= 0)
);
--> statement-breakpoint
CREATE TABLE "history" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"operation_id" uuid NOT NULL,
	"event" text NOT NULL,
	"detail" text,
	"at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operations" (
	"operation_id" uuid PRIMARY KEY NOT NULL,
	"bank_operation_id" text NOT NULL,
	"kind" text NOT NULL,
	"method" text NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"amount_kopecks" bigint NOT NULL,
	"currency" text NOT NULL,
	"description" text NOT NULL,
	"return_url" text,
	"expires_at" timestamp (3) with time zone,
	"approves_at" timestamp (3) with time zone,
	"original_operation_id" uuid,
	"card_mask" text,
	"card_expiry" text,
	"card_token" text,
	"three_ds_id" text,
	"unanswered_reads" integer DEFAULT 0 NOT NULL,
	"request_sha256" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "operations_bank_operation_id_unique" UNIQUE("bank_operation_id"),
	CONSTRAINT "operations_three_ds_id_unique" UNIQUE("three_ds_id"),
	CONSTRAINT "operations_amount" CHECK (amount_kopecks > 0),
	CONSTRAINT "operations_status" CHECK (status in ('REGISTERED', 'THREE_DS_REQUIRED', 'PENDING', 'APPROVED', 'DECLINED', 'CANCELLED', 'EXPIRED')),
	CONSTRAINT "operations_refund_names_payment" CHECK ((kind = 'REFUND') = (original_operation_id is not null))
);
--> statement-breakpoint
CREATE TABLE "saved_cards" (
	"token" text PRIMARY KEY NOT NULL,
	"mask" text NOT NULL,
	"expiry" text NOT NULL,
	"outcome" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "history" ADD CONSTRAINT "history_operation_id_operations_operation_id_fk" FOREIGN KEY ("operation_id") REFERENCES "operations"("operation_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "history_operation" ON "history" USING btree ("operation_id","position");--> statement-breakpoint
CREATE INDEX "operations_created_at" ON "operations" USING btree ("created_at","operation_id");--> statement-breakpoint
CREATE INDEX "operations_refunds" ON "operations" USING btree ("original_operation_id") WHERE original_operation_id is not null;--> statement-breakpoint
CREATE INDEX "operations_due" ON "operations" USING btree ((case when status = 'PENDING' then approves_at else expires_at end)) WHERE status in ('REGISTERED', 'THREE_DS_REQUIRED', 'PENDING');