CREATE SEQUENCE "event_positions" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "position" bigint;--> statement-breakpoint
-- Apart from the column: with it, the table would be rewritten to number what is there already.
ALTER TABLE "events" ALTER COLUMN "position" SET DEFAULT nextval('event_positions');
