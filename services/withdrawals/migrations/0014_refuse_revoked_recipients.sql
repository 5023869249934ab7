-- No transfer to a revoked recipient is approved, whichever program asks: the version before looks at the recipient only when a withdrawal is requested.
-- The share lock makes a revocation wait for an approval that is under way, and the other way round.
CREATE FUNCTION refuse_revoked_recipient() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM withdrawals.beneficiaries b WHERE b.beneficiary_ref = NEW.beneficiary_ref AND b.status = 'ISSUED' FOR SHARE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'the recipient is not issued' USING ERRCODE = 'check_violation', CONSTRAINT = 'withdrawals_recipient_is_issued';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER withdrawals_recipient_is_issued BEFORE UPDATE OF status ON withdrawals FOR EACH ROW
  WHEN (NEW.status = 'APPROVED' AND OLD.status <> 'APPROVED') EXECUTE FUNCTION refuse_revoked_recipient();
