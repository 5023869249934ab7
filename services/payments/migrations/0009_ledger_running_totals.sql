CREATE TABLE "ledger_balances" (
	"account" text NOT NULL,
	"owner" text NOT NULL,
	"shard" smallint NOT NULL,
	"balance_kopecks" bigint NOT NULL,
	"entry_count" bigint NOT NULL,
	CONSTRAINT "ledger_balances_account_owner_shard_pk" PRIMARY KEY("account","owner","shard")
);
--> statement-breakpoint
-- A row is updated far more often than it is read: with room in its page the new version stays beside the old one.
ALTER TABLE ledger_balances SET (fillfactor = 20);
--> statement-breakpoint
-- One row an account for each of 16 shards; a connection keeps to one, so that bookings at once rarely wait for each other.
-- In the order of the key, so that two that do never wait for each other in a circle.
CREATE FUNCTION add_to_ledger_balances() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ledger_balances AS total (account, owner, shard, balance_kopecks, entry_count)
    SELECT account, owner, pg_backend_pid() % 16, sum(amount_kopecks), count(*) FROM booked
    GROUP BY account, owner ORDER BY account, owner
  ON CONFLICT (account, owner, shard) DO UPDATE SET
    balance_kopecks = total.balance_kopecks + excluded.balance_kopecks,
    entry_count = total.entry_count + excluded.entry_count;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- The trigger first: it keeps others from booking until the totals of what is there are written.
CREATE TRIGGER ledger_entry_adds AFTER INSERT ON ledger_entries REFERENCING NEW TABLE AS booked
  FOR EACH STATEMENT EXECUTE FUNCTION add_to_ledger_balances();
--> statement-breakpoint
INSERT INTO ledger_balances (account, owner, shard, balance_kopecks, entry_count)
  SELECT account, owner, 0, sum(amount_kopecks), count(*) FROM ledger_entries GROUP BY account, owner;
--> statement-breakpoint
REVOKE DELETE, TRUNCATE ON ledger_balances FROM CURRENT_USER;
