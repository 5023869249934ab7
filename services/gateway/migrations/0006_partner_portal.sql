CREATE TABLE "portal_challenges" (
	"challenge_id" uuid PRIMARY KEY NOT NULL,
	"partner_id" text NOT NULL,
	"text" text NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "portal_sessions" (
	"token_sha256" text PRIMARY KEY NOT NULL,
	"partner_id" text NOT NULL,
	"key_id" uuid NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"seen_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "portal_sessions" ADD CONSTRAINT "portal_sessions_partner_id_partners_partner_id_fk" FOREIGN KEY ("partner_id") REFERENCES "partners"("partner_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "portal_sessions" ADD CONSTRAINT "portal_sessions_key_id_partner_keys_key_id_fk" FOREIGN KEY ("key_id") REFERENCES "partner_keys"("key_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "portal_challenges_expiry" ON "portal_challenges" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "portal_sessions_partner" ON "portal_sessions" USING btree ("partner_id");--> statement-breakpoint
CREATE INDEX "portal_sessions_key" ON "portal_sessions" USING btree ("key_id");--> statement-breakpoint
CREATE INDEX "portal_sessions_seen" ON "portal_sessions" USING btree ("seen_at");