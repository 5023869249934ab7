import type { Reader } from '@pay/shared/postgres/db.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { findBinding, type Binding } from '../db/bindings.ts';

/** GET /v1/bindings and the operators' list: bindings with a partner, newest first. */
export { listBindings as readBindings, type Binding } from '../db/bindings.ts';

/** GET /v1/bindings/{bindingId}. @throws ApiError 404, also for another partner's binding */
export async function readBinding(reader: Reader, partnerId: PartnerId, bindingId: string): Promise<Binding> {
  const binding = await findBinding(reader, partnerId, bindingId);
  if (binding === undefined) throw new ApiError('NOT_FOUND');
  return binding;
}
