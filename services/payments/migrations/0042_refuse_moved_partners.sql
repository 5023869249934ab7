CREATE TABLE "moved_partners" (
	"partner_id" text PRIMARY KEY NOT NULL,
	"cell" text NOT NULL,
	"checkout_url" text NOT NULL,
	"moved_at" timestamp (3) with time zone DEFAULT clock_now() NOT NULL
);
--> statement-breakpoint
-- The triggers read it for whoever writes; the privileges of the service's role come after the last migration.
GRANT SELECT ON moved_partners TO PUBLIC;
--> statement-breakpoint
-- The rows of a partner that lives in another cell stay here, but nothing is done to them any more, whichever program
-- asks (decisions/cells).
CREATE FUNCTION refuse_moved_partner() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  there text;
BEGIN
  SELECT m.cell INTO there FROM payments.moved_partners m WHERE m.partner_id = NEW.partner_id;
  IF FOUND THEN
    RAISE EXCEPTION 'this partner lives in % now: act there', there USING ERRCODE = 'PM001';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
-- The same for a table that names a payment.
CREATE FUNCTION refuse_moved_payment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  there text;
BEGIN
  SELECT m.cell INTO there FROM payments.moved_partners m JOIN payments.payments p USING (partner_id) WHERE p.payment_id = NEW.payment_id;
  IF FOUND THEN
    RAISE EXCEPTION 'this partner lives in % now: act there', there USING ERRCODE = 'PM001';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER payments_of_this_cell BEFORE INSERT OR UPDATE OF status ON payments FOR EACH ROW EXECUTE FUNCTION refuse_moved_partner();
--> statement-breakpoint
CREATE TRIGGER refunds_of_this_cell BEFORE INSERT OR UPDATE OF status ON refunds FOR EACH ROW EXECUTE FUNCTION refuse_moved_partner();
--> statement-breakpoint
CREATE TRIGGER saved_cards_of_this_cell BEFORE INSERT ON saved_cards FOR EACH ROW EXECUTE FUNCTION refuse_moved_partner();
--> statement-breakpoint
CREATE TRIGGER stores_of_this_cell BEFORE INSERT ON stores FOR EACH ROW EXECUTE FUNCTION refuse_moved_partner();
--> statement-breakpoint
CREATE TRIGGER payment_points_of_this_cell BEFORE INSERT OR UPDATE ON payment_points FOR EACH ROW EXECUTE FUNCTION refuse_moved_partner();
--> statement-breakpoint
CREATE TRIGGER integration_endpoints_of_this_cell BEFORE INSERT OR UPDATE ON integration_endpoints FOR EACH ROW EXECUTE FUNCTION refuse_moved_partner();
--> statement-breakpoint
CREATE TRIGGER money_returns_of_this_cell BEFORE INSERT ON money_returns FOR EACH ROW EXECUTE FUNCTION refuse_moved_payment();
