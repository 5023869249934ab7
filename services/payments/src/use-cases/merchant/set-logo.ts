import { createHash } from 'node:crypto';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import type { OperatorLogin } from '@pay/shared/identities/identities.ts';
import { insertAction } from '../../db/operator/audit-log.ts';
import { lockStore } from '../../db/merchant/payment-points.ts';
import { deleteLogo, findLogo, replaceLogo, type Logo } from '../../db/merchant/store-logos.ts';
import type { Deps } from '../../deps.ts';
import { readLogo } from './read-logo.ts';

/**
 * PUT /operator/stores/{storeId}/logo: gives a store a logo, or with null takes it away. Buyers who load a payment page from then on see
 * it. Safe to repeat. The audit log keeps the hash of the picture, not the picture.
 * @returns the logo that the store has now
 * @throws ApiError NOT_FOUND without such a store; VALIDATION_FAILED if the bytes are not a logo
 */
export async function setLogo(
  deps: Pick<Deps, 'db'>,
  storeId: string,
  { png, operator }: { readonly png: Buffer | null; readonly operator: OperatorLogin },
): Promise<Logo | undefined> {
  const logo = png === null ? undefined : logoOf(png);
  return inTransaction(deps.db, async (tx) => {
    if ((await lockStore(tx, storeId)) === undefined) throw new ApiError('NOT_FOUND');
    const before = await findLogo(tx, storeId);
    if (logo === undefined) await deleteLogo(tx, storeId);
    else await replaceLogo(tx, storeId, logo);
    const after = await findLogo(tx, storeId);
    await insertAction(tx, {
      operator,
      action: 'store.logo',
      subjectId: storeId,
      before: { logo: before ?? null },
      after: { logo: after ?? null },
    });
    return after;
  });
}

function logoOf(png: Buffer) {
  const read = readLogo(png);
  if (read.kind === 'refused') throw invalidField('png', read.why);
  const { width, height } = read;
  return { png, sha256: createHash('sha256').update(png).digest('hex'), width, height };
}
