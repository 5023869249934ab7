DROP INDEX "payments_next_read";--> statement-breakpoint
CREATE INDEX "payments_next_read" ON "payments" USING btree ("route_id","next_read_at") WHERE next_read_at is not null;