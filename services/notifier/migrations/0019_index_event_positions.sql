DROP INDEX CONCURRENTLY IF EXISTS "events_partner_position";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "events_partner_position" ON "events" USING btree ("partner_id","position") WHERE position is not null;
