CREATE TABLE "aggregates" (
	"aggregate_id" uuid PRIMARY KEY NOT NULL,
	"partner_id" text NOT NULL,
	"kind" text NOT NULL,
	"next_version" integer DEFAULT 1 NOT NULL,
	"due_at" timestamp (3) with time zone,
	"lease_id" uuid,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alerts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"partner_id" text NOT NULL,
	"kind" text NOT NULL,
	"event_id" uuid,
	"raised_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "attempts" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"event_id" uuid NOT NULL,
	"partner_id" text NOT NULL,
	"number" integer NOT NULL,
	"url" text NOT NULL,
	"key_ids" text NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"duration_ms" integer NOT NULL,
	"status" smallint,
	"failure" text,
	"outcome" text NOT NULL,
	"excerpt" "bytea",
	"next_attempt_at" timestamp (3) with time zone,
	"resent_by" text
);
--> statement-breakpoint
CREATE TABLE "callback_keys" (
	"key_id" text PRIMARY KEY NOT NULL,
	"partner_id" text NOT NULL,
	"encrypted_secret" text NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"replay_until" timestamp (3) with time zone NOT NULL,
	"idempotency_key" text NOT NULL,
	"body_sha256" text NOT NULL,
	"expires_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "events" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"partner_id" text NOT NULL,
	"type" text NOT NULL,
	"aggregate_id" uuid NOT NULL,
	"aggregate_version" integer NOT NULL,
	"body" "bytea" NOT NULL,
	"recorded_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	"status" text NOT NULL,
	"attempt_count" integer DEFAULT 0 NOT NULL,
	"next_attempt_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"resent_by" text
);
--> statement-breakpoint
CREATE TABLE "idempotency_records" (
	"partner_id" text NOT NULL,
	"key" text NOT NULL,
	"operation" text NOT NULL,
	"body_sha256" char(64) NOT NULL,
	"object_id" text NOT NULL,
	"status" smallint NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL,
	CONSTRAINT "idempotency_records_partner_id_key_pk" PRIMARY KEY("partner_id","key")
);
--> statement-breakpoint
CREATE TABLE "inbox" (
	"message_id" uuid PRIMARY KEY NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "operator_actions" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"operator" text NOT NULL,
	"action" text NOT NULL,
	"partner_id" text NOT NULL,
	"details" jsonb NOT NULL,
	"at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox" (
	"position" bigserial PRIMARY KEY NOT NULL,
	"message_id" uuid NOT NULL,
	"type" text NOT NULL,
	"aggregate_id" text NOT NULL,
	"payload" jsonb NOT NULL,
	"request_id" text,
	"traceparent" text,
	"occurred_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "receivers" (
	"partner_id" text PRIMARY KEY NOT NULL,
	"callback_url" text,
	"endpoints_revision" integer DEFAULT 0 NOT NULL,
	"failures_in_a_row" integer DEFAULT 0 NOT NULL,
	"failing_since" timestamp (3) with time zone,
	"dead_since" timestamp (3) with time zone,
	"slow_until" timestamp (3) with time zone,
	"refusing_since" timestamp (3) with time zone,
	"rotation_opened_at" timestamp (3) with time zone,
	"rotation_overlap_seconds" integer
);
--> statement-breakpoint
CREATE TABLE "replays" (
	"replay_id" uuid PRIMARY KEY NOT NULL,
	"partner_id" text NOT NULL,
	"requested_by" text NOT NULL,
	"from" timestamp (3) with time zone NOT NULL,
	"to" timestamp (3) with time zone NOT NULL,
	"types" text[] NOT NULL,
	"statuses" text[] NOT NULL,
	"total" bigint NOT NULL,
	"resent" bigint DEFAULT 0 NOT NULL,
	"cursor_recorded_at" timestamp (3) with time zone,
	"cursor_event_id" uuid,
	"state" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL
);
--> statement-breakpoint
CREATE INDEX "aggregates_due" ON "aggregates" USING btree ("partner_id","due_at") WHERE due_at is not null;--> statement-breakpoint
CREATE INDEX "aggregates_leased" ON "aggregates" USING btree ("partner_id") WHERE lease_id is not null;--> statement-breakpoint
CREATE INDEX "aggregates_created_at" ON "aggregates" USING brin ("created_at");--> statement-breakpoint
CREATE INDEX "alerts_raised_at" ON "alerts" USING btree ("raised_at");--> statement-breakpoint
CREATE INDEX "attempts_event" ON "attempts" USING btree ("event_id","id");--> statement-breakpoint
CREATE INDEX "callback_keys_partner" ON "callback_keys" USING btree ("partner_id","issued_at");--> statement-breakpoint
CREATE UNIQUE INDEX "callback_keys_current" ON "callback_keys" USING btree ("partner_id") WHERE expires_at is null;--> statement-breakpoint
CREATE UNIQUE INDEX "events_version" ON "events" USING btree ("aggregate_id","aggregate_version");--> statement-breakpoint
CREATE INDEX "events_partner" ON "events" USING btree ("partner_id","recorded_at");--> statement-breakpoint
CREATE INDEX "events_recorded_at" ON "events" USING btree ("recorded_at");--> statement-breakpoint
CREATE INDEX "idempotency_records_created_at" ON "idempotency_records" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "inbox_received_at" ON "inbox" USING btree ("received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "replays_running" ON "replays" USING btree ("partner_id") WHERE state = 'RUNNING';