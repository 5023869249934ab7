DROP INDEX CONCURRENTLY IF EXISTS "payments_by_amount";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_by_amount" ON "payments" USING btree ("amount_kopecks","created_at","payment_id");
