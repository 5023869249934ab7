DROP INDEX "aggregates_leased";--> statement-breakpoint
CREATE INDEX "aggregates_leased" ON "aggregates" USING btree ("partner_id","leased_until") WHERE leased_until is not null;