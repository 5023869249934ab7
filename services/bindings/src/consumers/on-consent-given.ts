import { ConsentGiven } from '@pay/contract/messages.ts';
import type { Handle } from '@pay/shared/broker/consume.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import { receiveOnce } from '@pay/shared/inbox/inbox.ts';
import { insertConsent } from '../db/consents.ts';

/** Stores the evidence of a consent, whatever the outcome of its payment. */
export function onConsentGiven(deps: { readonly db: Db }): Handle {
  return async ({ messageId, body }) => {
    const { capture: consentCapture, acceptedAt, ...consent } = ConsentGiven.parse(body);
    await receiveOnce(deps.db, messageId, (tx) => insertConsent(tx, { ...consent, consentCapture, acceptedAt: new Date(acceptedAt) }));
  };
}
