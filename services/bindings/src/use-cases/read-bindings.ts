import type { Reader } from '@pay/shared/postgres/db.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { ListPosition } from '@pay/shared/http/list-page.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { findBinding, listBindings, type Binding, type BindingFilter } from '../db/bindings.ts';

export type { Binding } from '../db/bindings.ts';

/** A page and the start of the next one, which is undefined on the last. */
export type Page = { readonly items: readonly Binding[]; readonly next: ListPosition | undefined };

/** GET /v1/bindings/{bindingId}. @throws ApiError 404, also for another partner's binding */
export async function readBinding(reader: Reader, partnerId: PartnerId, bindingId: string): Promise<Binding> {
  const binding = await findBinding(reader, partnerId, bindingId);
  if (binding === undefined) throw new ApiError('NOT_FOUND');
  return binding;
}

/** GET /v1/bindings and the operators' list: bindings with a partner, newest first. */
export async function readBindings(
  reader: Reader,
  filter: BindingFilter,
  after: ListPosition | undefined,
  limit: number,
): Promise<Page> {
  const found = await listBindings(reader, filter, after, limit + 1);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const next =
    found.length > limit && last !== undefined ? { createdAt: last.createdAt, id: last.bindingId } : undefined;
  return { items, next };
}
