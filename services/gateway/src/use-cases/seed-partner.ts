import { randomUUID } from 'node:crypto';
import type { Db } from '@pay/shared/postgres/db.ts';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { appendAudit } from '../db/audit-log.ts';
import { findKeyByText, insertKey, insertPartner, nextRevision, updatePartner } from '../db/partners.ts';
import { checkPublicKey } from './check-public-key.ts';

type Seeded = {
  readonly partnerID: string;
  readonly publicKey: string;
  readonly name: string;
  readonly limit?: { readonly ratePerSecond: number; readonly burst: number };
};

/** Operators that the seed acts as: two, because a key is activated by a different one from who registered it. */
const REGISTRAR = 'seed';
const ACTIVATOR = 'seed-approval';

/** Creates an active partner with an active key for `npm start`. A second run finds both and changes nothing. */
export async function seedPartner(db: Db, seeded: Seeded): Promise<void> {
  const { partnerID: partnerId, name } = seeded;
  const limit = seeded.limit ?? {};
  const key = checkPublicKey(seeded.publicKey);
  await inTransaction(db, async (tx) => {
    const known = await findKeyByText(tx, key.publicKey);
    if (known?.partnerId === partnerId && known.status === 'ACTIVE') return;
    const revision = await nextRevision(tx);
    const made = await insertPartner(tx, { partnerId, name, status: 'ACTIVE', revision, ...limit });
    if (!made) await updatePartner(tx, partnerId, { status: 'ACTIVE', revision, ...limit });
    const keyId = randomUUID();
    const people = { registeredBy: REGISTRAR, activatedBy: ACTIVATOR, activatedAt: await clock(tx) };
    const inserted = await insertKey(tx, { keyId, partnerId, ...key, status: 'ACTIVE', ...people });
    if (!inserted) throw new Error(`the key ${key.fingerprint} is revoked or registered for another partner`);
    await appendAudit(tx, { operator: REGISTRAR, action: 'partner.seeded', partnerId, keyId, detail: key.fingerprint });
  });
}
