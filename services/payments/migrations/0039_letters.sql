CREATE TABLE "letters" (
	"letter_id" uuid PRIMARY KEY NOT NULL,
	"payment_id" uuid NOT NULL,
	"number" smallint NOT NULL,
	"address_encrypted" text,
	"address_hash" text NOT NULL,
	"number_of_day" smallint NOT NULL,
	"language" text NOT NULL,
	"status" text DEFAULT 'WAITING' NOT NULL,
	"attempt_count" smallint DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone DEFAULT clock_now(),
	"last_failure" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	CONSTRAINT "letters_of_payment" UNIQUE("payment_id","number"),
	CONSTRAINT "letters_of_address" UNIQUE("address_hash","number_of_day"),
	CONSTRAINT "letters_once" UNIQUE("payment_id","address_hash"),
	CONSTRAINT "letters_status" CHECK (status in ('WAITING', 'SENT', 'REFUSED', 'GIVEN_UP')),
	CONSTRAINT "letters_language" CHECK (language in ('ru', 'en')),
	CONSTRAINT "letters_number" CHECK (number between 1 and 3),
	CONSTRAINT "letters_number_of_day" CHECK (number_of_day between 1 and 10),
	CONSTRAINT "letters_address" CHECK ((address_encrypted is not null) = (status = 'WAITING')),
	CONSTRAINT "letters_ended" CHECK ((ended_at is null) = (status = 'WAITING'))
);
--> statement-breakpoint
ALTER TABLE "payment_points" ADD COLUMN "email_confirmation" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "letters" ADD CONSTRAINT "letters_payment_id_payments_payment_id_fk" FOREIGN KEY ("payment_id") REFERENCES "payments"("payment_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "letters_due" ON "letters" USING btree ("next_attempt_at") WHERE next_attempt_at is not null;--> statement-breakpoint
CREATE INDEX "letters_old" ON "letters" USING btree ("created_at");