-- What is booked stays booked, and what an operator did stays written: a correction is another row.
REVOKE UPDATE, DELETE, TRUNCATE ON ledger_transactions, ledger_entries, operator_audit FROM CURRENT_USER;
--> statement-breakpoint
-- A request, a funding and a balance change, and are never gone.
REVOKE DELETE, TRUNCATE ON withdrawals, fundings, balances, beneficiaries FROM CURRENT_USER;
--> statement-breakpoint
-- Checked at commit, when all entries are there: they exist, belong to one store and sum to zero, and their transaction exists.
CREATE FUNCTION check_ledger_transaction() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  entry_count bigint;
  store_count bigint;
  total numeric;
BEGIN
  SELECT count(*), count(DISTINCT store_id), coalesce(sum(amount_micro_usdt), 0) INTO entry_count, store_count, total
    FROM ledger_entries WHERE ledger_transaction_id = NEW.ledger_transaction_id;
  IF entry_count < 2 OR store_count <> 1 OR total <> 0 THEN
    RAISE EXCEPTION 'ledger transaction % does not balance', NEW.ledger_transaction_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_balanced';
  END IF;
  -- Only entries of the same database transaction: what was booked earlier takes no further entry.
  IF NOT EXISTS (SELECT FROM ledger_transactions
      WHERE ledger_transaction_id = NEW.ledger_transaction_id AND xmin = pg_current_xact_id()::xid) THEN
    RAISE EXCEPTION 'ledger entry of an unknown or earlier transaction %', NEW.ledger_transaction_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'ledger_entry_belongs';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_transaction_balances AFTER INSERT ON ledger_transactions
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_ledger_transaction();
--> statement-breakpoint
CREATE CONSTRAINT TRIGGER ledger_entry_balances AFTER INSERT ON ledger_entries
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION check_ledger_transaction();
