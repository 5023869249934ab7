-- The lease is of every call that moves the payment's money now, not of its registration only, and each taking has a number.
ALTER TABLE "payments" RENAME COLUMN "register_lease_until" TO "lease_until";
--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "lease_number" integer DEFAULT 0 NOT NULL;
