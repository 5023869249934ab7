-- What a buyer agreed to stays as it was written. Only who the buyer was can be taken out of it, by this function alone, as
-- the owner: the service's own role reads and adds.
CREATE FUNCTION erase_consents(of_partner text, of_buyer text, pseudonym text) RETURNS integer
  LANGUAGE sql SECURITY DEFINER SET search_path = bindings, pg_temp
AS $$
  with erased as (
    update consents set customer_id = pseudonym, address = null, user_agent = null
    where partner_id = of_partner and customer_id = of_buyer returning consent_id)
  select count(*)::int from erased;
$$;
