DROP INDEX CONCURRENTLY IF EXISTS "payments_card_last_four";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "payments_card_last_four" ON "payments" USING btree (right(card_mask, 4),"created_at","payment_id") WHERE card_mask is not null;
