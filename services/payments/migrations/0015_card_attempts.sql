CREATE TABLE "card_attempts" (
	"attempt_id" uuid PRIMARY KEY NOT NULL,
	"payment_id" uuid NOT NULL,
	"payment_point_id" text NOT NULL,
	"address_hash" text NOT NULL,
	"bin_hash" text NOT NULL,
	"held_back_by" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "card_attempts_rule" CHECK (held_back_by in ('address', 'bin', 'point'))
);
--> statement-breakpoint
CREATE INDEX "card_attempts_payment" ON "card_attempts" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "card_attempts_address" ON "card_attempts" USING btree ("address_hash","created_at");--> statement-breakpoint
CREATE INDEX "card_attempts_bin" ON "card_attempts" USING btree ("bin_hash","created_at");--> statement-breakpoint
CREATE INDEX "card_attempts_point" ON "card_attempts" USING btree ("payment_point_id","created_at");--> statement-breakpoint
CREATE INDEX "card_attempts_old" ON "card_attempts" USING btree ("created_at");