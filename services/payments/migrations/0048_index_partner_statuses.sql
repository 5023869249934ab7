DROP INDEX CONCURRENTLY IF EXISTS "payments_buyer";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_buyer" ON "payments" USING btree ("customer_id","partner_id","created_at","payment_id");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payments_partner_status";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_partner_status" ON "payments" USING btree ("partner_id","status","created_at","payment_id") WHERE method <> 'SBP_DYNAMIC_QR';--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payments_qr_status";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_qr_status" ON "payments" USING btree ("payment_point_id","status","created_at","payment_id") WHERE method = 'SBP_DYNAMIC_QR';--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "payments_customer";
