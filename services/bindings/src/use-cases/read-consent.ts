import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { findAnyBinding, type Binding } from '../db/bindings.ts';
import { findConsent, type Consent } from '../db/consents.ts';
import type { Deps } from '../deps.ts';

export type { Consent } from '../db/consents.ts';

/**
 * What a buyer agreed to, for an operator who has to prove it. It contains an address and a browser, so each read is
 * logged.
 * @throws ApiError 404
 */
export async function readConsent({ db, log }: Deps, operator: OperatorLogin, consentId: string): Promise<Consent> {
  const consent = await findConsent(db, consentId);
  if (consent === undefined) throw new ApiError('NOT_FOUND');
  log.info('an operator read a consent', { operator, consentId });
  return consent;
}

/** A binding of any partner, with its consent unless that message has not arrived. @throws ApiError 404 */
export async function readAnyBinding(
  { db, log }: Deps,
  operator: OperatorLogin,
  bindingId: string,
): Promise<{ readonly binding: Binding; readonly consent: Consent | undefined }> {
  const binding = await findAnyBinding(db, bindingId);
  if (binding === undefined) throw new ApiError('NOT_FOUND');
  log.info('an operator read a binding', { operator, bindingId });
  return { binding, consent: await findConsent(db, binding.consentId) };
}
