CREATE TABLE "request_log" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"partner_id" text NOT NULL,
	"request_id" uuid NOT NULL,
	"at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"method" text NOT NULL,
	"path" text NOT NULL,
	"status" integer NOT NULL,
	"duration_ms" double precision NOT NULL,
	"code" text,
	"error" text,
	"details" jsonb NOT NULL
);
--> statement-breakpoint
CREATE INDEX "request_log_partner" ON "request_log" USING btree ("partner_id","position");--> statement-breakpoint
CREATE INDEX "request_log_at" ON "request_log" USING btree ("at");