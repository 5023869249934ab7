CREATE TABLE "declined_cards" (
	"operation_id" uuid PRIMARY KEY NOT NULL,
	"next_operation_id" uuid NOT NULL,
	"payment_id" uuid NOT NULL,
	"attempt" smallint NOT NULL,
	"bank_operation_id" text,
	"failure_code" text NOT NULL,
	"card_mask" text,
	"three_ds_version" text,
	"trans_status" text,
	"eci" text,
	"sent_at" timestamp (3) with time zone NOT NULL,
	"declined_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "declined_cards_next" UNIQUE("next_operation_id")
);
--> statement-breakpoint
ALTER TABLE "payment_points" ADD COLUMN "card_attempts" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "money_returns" ADD COLUMN "operation_id" uuid;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "operation_id" uuid;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "declined_count" smallint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "last_decline" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "card_attempts_max" smallint;--> statement-breakpoint
ALTER TABLE "declined_cards" ADD CONSTRAINT "declined_cards_payment_id_payments_payment_id_fk" FOREIGN KEY ("payment_id") REFERENCES "payments"("payment_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "declined_cards_payment" ON "declined_cards" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "declined_cards_sent" ON "declined_cards" USING btree ("sent_at");--> statement-breakpoint
CREATE INDEX "declined_cards_bank_operation" ON "declined_cards" USING btree ("bank_operation_id");--> statement-breakpoint
-- allow constraint-at-once: a few rows, one for each payment point
ALTER TABLE "payment_points" ADD CONSTRAINT "payment_points_card_attempts" CHECK (card_attempts between 1 and 5);