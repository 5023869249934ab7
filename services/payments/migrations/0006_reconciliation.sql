CREATE TABLE "point_routes" (
	"payment_point_id" text NOT NULL,
	"method" text NOT NULL,
	"priority" smallint NOT NULL,
	"route_id" text NOT NULL,
	"min_amount_kopecks" bigint DEFAULT 1 NOT NULL,
	"max_amount_kopecks" bigint DEFAULT 100000000 NOT NULL,
	CONSTRAINT "point_routes_payment_point_id_method_priority_pk" PRIMARY KEY("payment_point_id","method","priority"),
	CONSTRAINT "point_routes_method" CHECK (method in ('CARD', 'SBP_DYNAMIC_QR')),
	CONSTRAINT "point_routes_priority" CHECK (priority > 0),
	CONSTRAINT "point_routes_amounts" CHECK (min_amount_kopecks > 0 and max_amount_kopecks >= min_amount_kopecks)
);
--> statement-breakpoint
CREATE TABLE "reconciliation_items" (
	"route_id" text NOT NULL,
	"day" date NOT NULL,
	"operation_id" text NOT NULL,
	"run_id" uuid NOT NULL,
	"result" text NOT NULL,
	"kind" text NOT NULL,
	"payment_id" uuid,
	"bank_operation_id" text,
	"bank_status" text,
	"bank_amount_kopecks" bigint,
	"our_status" text,
	"our_amount_kopecks" bigint,
	"bank_kopecks" bigint NOT NULL,
	"our_kopecks" bigint NOT NULL,
	CONSTRAINT "reconciliation_items_route_id_day_operation_id_pk" PRIMARY KEY("route_id","day","operation_id"),
	CONSTRAINT "reconciliation_items_result" CHECK (result in ('MATCHED', 'IN_PROGRESS', 'MISSING_HERE', 'MISSING_THERE', 'DIFFERENT_AMOUNT', 'DIFFERENT_STATE'))
);
--> statement-breakpoint
CREATE TABLE "reconciliations" (
	"route_id" text NOT NULL,
	"day" date NOT NULL,
	"run_id" uuid NOT NULL,
	"status" text NOT NULL,
	"requested_by" text NOT NULL,
	"lease_until" timestamp (3) with time zone NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"completed_at" timestamp (3) with time zone,
	"bank_kopecks" bigint,
	"our_kopecks" bigint,
	CONSTRAINT "reconciliations_route_id_day_pk" PRIMARY KEY("route_id","day"),
	CONSTRAINT "reconciliations_status" CHECK (status in ('RUNNING', 'COMPLETED')),
	CONSTRAINT "reconciliations_completed" CHECK ((status = 'COMPLETED') = (completed_at is not null))
);
--> statement-breakpoint
DROP INDEX "exceptions_once";--> statement-breakpoint
ALTER TABLE "exceptions" ALTER COLUMN "payment_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "exceptions" ADD COLUMN "operation_id" text;--> statement-breakpoint
ALTER TABLE "exceptions" ADD COLUMN "route_id" text;--> statement-breakpoint
ALTER TABLE "exceptions" ADD COLUMN "day" date;--> statement-breakpoint
ALTER TABLE "exceptions" ADD COLUMN "reason" text;--> statement-breakpoint
ALTER TABLE "exceptions" ADD COLUMN "finding" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "exceptions" ADD COLUMN "bank_status" text;--> statement-breakpoint
ALTER TABLE "exceptions" ADD COLUMN "our_amount_kopecks" bigint;--> statement-breakpoint
ALTER TABLE "exceptions" ADD COLUMN "our_status" text;--> statement-breakpoint
ALTER TABLE "exceptions" ADD COLUMN "note" text;--> statement-breakpoint
ALTER TABLE "exceptions" ADD COLUMN "resolved_by" text;--> statement-breakpoint
UPDATE "exceptions" SET "operation_id" = "payment_id", "reason" = 'found before reasons were kept';--> statement-breakpoint
UPDATE "exceptions" SET "note" = 'settled before notes were kept', "resolved_by" = 'unknown', "resolved_at" = coalesce("resolved_at", "created_at") WHERE "status" = 'RESOLVED';--> statement-breakpoint
ALTER TABLE "exceptions" ALTER COLUMN "operation_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "exceptions" ALTER COLUMN "reason" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "acs_request" text;--> statement-breakpoint
ALTER TABLE "point_routes" ADD CONSTRAINT "point_routes_payment_point_id_payment_points_payment_point_id_fk" FOREIGN KEY ("payment_point_id") REFERENCES "payment_points"("payment_point_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "point_routes" ADD CONSTRAINT "point_routes_route_id_routes_route_id_fk" FOREIGN KEY ("route_id") REFERENCES "routes"("route_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "reconciliations" ADD CONSTRAINT "reconciliations_route_id_routes_route_id_fk" FOREIGN KEY ("route_id") REFERENCES "routes"("route_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "point_routes_route" ON "point_routes" USING btree ("payment_point_id","method","route_id");--> statement-breakpoint
ALTER TABLE "exceptions" ADD CONSTRAINT "exceptions_route_id_routes_route_id_fk" FOREIGN KEY ("route_id") REFERENCES "routes"("route_id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "exceptions_payment" ON "exceptions" USING btree ("payment_id");--> statement-breakpoint
CREATE INDEX "exceptions_newest" ON "exceptions" USING btree ("created_at","exception_id");--> statement-breakpoint
CREATE INDEX "payments_created" ON "payments" USING brin ("created_at");--> statement-breakpoint
CREATE INDEX "refunds_created" ON "refunds" USING brin ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "exceptions_once" ON "exceptions" USING btree ("operation_id","kind","finding");--> statement-breakpoint
ALTER TABLE "exceptions" ADD CONSTRAINT "exceptions_resolved" CHECK ((status = 'RESOLVED') = (resolved_at is not null) and (status = 'RESOLVED') = (resolved_by is not null) and (status = 'RESOLVED') = (note is not null));