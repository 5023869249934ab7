ALTER TABLE "aggregates" ADD COLUMN "last_version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "aggregates_behind_gap" ON "aggregates" USING btree ("created_at") WHERE due_at is null and next_version <= last_version;--> statement-breakpoint
-- Of what was there before, only those that miss a version below one that waits: all others learn theirs with their next event.
UPDATE "aggregates" a SET "last_version" = e."highest"
FROM (SELECT "aggregate_id", max("aggregate_version") AS "highest"
  FROM "events" JOIN "aggregates" USING ("aggregate_id")
  WHERE "status" = 'WAITING' AND "aggregate_version" >= "next_version"
  GROUP BY "aggregate_id", "next_version"
  HAVING max("aggregate_version") - "next_version" + 1 > count(*)) e
WHERE a."aggregate_id" = e."aggregate_id";
