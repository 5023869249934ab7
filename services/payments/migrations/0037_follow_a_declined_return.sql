-- allow index-at-once: few rows, one for each late payment or unknown order
-- allow index-dropped-at-once: few rows, and the next statement makes it again
DROP INDEX "money_returns_once";--> statement-breakpoint
CREATE UNIQUE INDEX "money_returns_once" ON "money_returns" USING btree ("payment_id","bank_operation_id") WHERE status <> 'FAILED';
