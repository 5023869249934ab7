-- The totals are written as the owner, by this function alone: the service's own role reads them.
ALTER FUNCTION add_to_ledger_balances() SECURITY DEFINER SET search_path = payments, pg_temp;
