CREATE TABLE "store_logos" (
	"store_id" text PRIMARY KEY NOT NULL,
	"png" "bytea" NOT NULL,
	"sha256" text NOT NULL,
	"width" smallint NOT NULL,
	"height" smallint NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "store_logos_png" CHECK (octet_length(png) <= 16384)
);
--> statement-breakpoint
ALTER TABLE "store_logos" ADD CONSTRAINT "store_logos_store_id_stores_store_id_fk" FOREIGN KEY ("store_id") REFERENCES "stores"("store_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "store_logos_sha256" ON "store_logos" USING btree ("sha256");