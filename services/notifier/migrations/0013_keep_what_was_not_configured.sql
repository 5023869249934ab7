ALTER TABLE "receivers" ADD COLUMN "configured_at" timestamp (3) with time zone;--> statement-breakpoint
UPDATE "receivers" r SET "configured_at" = k."issued_at"
FROM (SELECT "partner_id", min("issued_at") AS "issued_at" FROM "callback_keys" GROUP BY "partner_id") k
WHERE k."partner_id" = r."partner_id" AND r."callback_url" IS NOT NULL;--> statement-breakpoint
-- What waits for an address or a first secret is kept from now on, and sent on request only (decisions/partner-events).
UPDATE "events" e SET "status" = 'NOT_CONFIGURED', "next_attempt_at" = NULL, "ended_at" = clock_now()
WHERE e."status" = 'WAITING'
  AND NOT EXISTS (SELECT FROM "receivers" r WHERE r."partner_id" = e."partner_id" AND r."configured_at" IS NOT NULL);--> statement-breakpoint
UPDATE "aggregates" a SET "due_at" = NULL, "next_version" = greatest(a."next_version", e."highest" + 1)
FROM (SELECT "aggregate_id", max("aggregate_version") AS "highest" FROM "events" WHERE "status" = 'NOT_CONFIGURED' GROUP BY "aggregate_id") e
WHERE a."aggregate_id" = e."aggregate_id";
