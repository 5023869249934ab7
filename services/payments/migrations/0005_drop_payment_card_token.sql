-- A token belongs to the saved card. Nothing is lost: until now no payment asked the bank for one.
ALTER TABLE "payments" DROP COLUMN "card_token_encrypted";