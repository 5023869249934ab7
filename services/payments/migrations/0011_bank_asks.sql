CREATE TABLE "bank_asks" (
	"payment_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"held_until" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "bank_asks_payment_id_kind_pk" PRIMARY KEY("payment_id","kind"),
	CONSTRAINT "bank_asks_kind" CHECK (kind in ('READ', 'CONFIRM'))
);
--> statement-breakpoint
CREATE INDEX "bank_asks_old" ON "bank_asks" USING btree ("held_until");