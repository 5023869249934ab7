DROP INDEX "aggregates_leased";--> statement-breakpoint
CREATE INDEX "aggregates_leased" ON "aggregates" USING btree ("partner_id") WHERE lease_id is not null and due_at is not null;