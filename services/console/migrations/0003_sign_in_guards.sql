-- Wrong passwords lock an account for a while, and no code of a second factor is good twice.
CREATE TABLE "sign_in_failures" (
	"login_key" text PRIMARY KEY NOT NULL,
	"operator_id" text,
	"failures" integer NOT NULL,
	"last_failed_at" timestamp (3) with time zone NOT NULL,
	"locked_until" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "second_factors" ADD COLUMN "last_used_step" bigint;--> statement-breakpoint
ALTER TABLE "sign_in_failures" ADD CONSTRAINT "sign_in_failures_operator_id_operators_id_fk" FOREIGN KEY ("operator_id") REFERENCES "operators"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "sign_in_failures_operator" ON "sign_in_failures" USING btree ("operator_id");--> statement-breakpoint
CREATE INDEX "sign_in_failures_last_failed_at" ON "sign_in_failures" USING btree ("last_failed_at");--> statement-breakpoint
-- Devices that were trusted with the password alone are trusted no more.
DELETE FROM verifications WHERE identifier LIKE 'trust-device-%';
