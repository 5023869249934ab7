-- This service tells no facts: they were there for its tests.
DROP TABLE "outbox";--> statement-breakpoint
DROP TABLE "relay_lease";
