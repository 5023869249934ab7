DROP INDEX CONCURRENTLY IF EXISTS "payments_rare_status";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_rare_status" ON "payments" USING btree ("status","created_at","payment_id") WHERE status in ('CREATED', 'SUBMITTED', 'PENDING', 'FAILED');
