-- What a buyer said about saving the card, the cards that were saved, and the shops that may ask on their own.
CREATE TABLE "saved_cards" (
	"binding_id" uuid PRIMARY KEY NOT NULL,
	"partner_id" text NOT NULL,
	"customer_id" text NOT NULL,
	"payment_id" uuid NOT NULL,
	"payment_point_id" text NOT NULL,
	"card_token_encrypted" text NOT NULL,
	"card_mask" text,
	"card_expiry" text,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "saved_cards_payment" UNIQUE("payment_id")
);
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "save_period" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "consent_capture" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "consent" text;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "consent_id" uuid;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "binding_id" uuid;--> statement-breakpoint
ALTER TABLE "stores" ADD COLUMN "merchant_consent" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_cards" ADD CONSTRAINT "saved_cards_payment_id_payments_payment_id_fk" FOREIGN KEY ("payment_id") REFERENCES "payments"("payment_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "saved_cards" ADD CONSTRAINT "saved_cards_payment_point_id_payment_points_payment_point_id_fk" FOREIGN KEY ("payment_point_id") REFERENCES "payment_points"("payment_point_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "saved_cards_payment_point" ON "saved_cards" USING btree ("payment_point_id");--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_saving" CHECK ((save_period is null) = (consent_capture is null) and (save_period is null) = (consent is null));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_consent" CHECK (consent in ('AWAITED', 'GIVEN', 'DECLINED'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_consent_capture" CHECK (consent_capture in ('SERVICE', 'MERCHANT'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_consent_id" CHECK ((consent_id is not null) = (consent is not distinct from 'GIVEN'));--> statement-breakpoint
ALTER TABLE "payments" ADD CONSTRAINT "payments_binding" CHECK (method <> 'CARD_BINDING' or binding_id is not null);