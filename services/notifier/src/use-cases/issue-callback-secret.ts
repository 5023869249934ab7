import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { decrypt, encrypt } from '@pay/shared/encryption/encryption.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { once, type IdempotentRequest } from '@pay/shared/idempotency/idempotency.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { endKeys, findNewestKey, insertKey } from '../db/callback-keys.ts';
import { noteSecret, hasEndpoints, lockReceiver } from '../db/receivers.ts';
import type { Deps } from '../deps.ts';
import { decideIssue, REPLAY_WINDOW_MS, secretContext } from '../domain/callback-secret.ts';

export type IssuedSecret = {
  readonly keyId: string;
  readonly secret: Buffer;
  readonly issuedAt: Date;
  readonly replayUntil: Date;
  readonly replayed: boolean;
};

/** The copy of the partner's address arrives by message, usually within milliseconds of the partner's PUT. */
const ENDPOINTS_WAIT_MS = 2_000;
const ENDPOINTS_POLL_MS = 50;

/**
 * POST /api/integration/callback-secret. The only place where a secret leaves the system, and only to its partner.
 * @throws ApiError ENDPOINTS_NOT_CONFIGURED, SECRET_ALREADY_ISSUED, IDEMPOTENCY_KEY_REUSED
 */
export async function issueCallbackSecret(deps: Deps, request: IdempotentRequest): Promise<IssuedSecret> {
  const { partnerId } = request;
  await waitForEndpoints(deps, partnerId);
  const issued = await inTransaction(deps.db, async (tx) => {
    const receiver = await lockReceiver(tx, partnerId);
    if (receiver === undefined) throw new ApiError('ENDPOINTS_NOT_CONFIGURED');
    const newest = await findNewestKey(tx, partnerId);
    const now = await clock(tx);

    const decision = decideIssue(newest, request, receiver.rotation !== undefined, now);
    if (decision === 'refuse-reused-key') throw new ApiError('IDEMPOTENCY_KEY_REUSED');
    if (decision === 'replay') {
      if (newest === undefined) throw new Error('a replay has a key');
      const secret = decrypt(deps.encryptionKeys, newest.encryptedSecret, secretContext(partnerId, newest.keyId));
      return { ...newest, secret, replayed: true };
    }
    const { keyId, secret } = newSecret();
    const replayUntil = new Date(now.getTime() + REPLAY_WINDOW_MS);
    // The key may be bound to a replay, or to an older secret.
    const { replayed } = await once(tx, request, { objectId: keyId, status: 201 }, async () => {
      if (decision === 'refuse-already-issued') throw new ApiError('SECRET_ALREADY_ISSUED');
      if (receiver.rotation !== undefined) await endKeys(tx, partnerId, receiver.rotation.overlapSeconds);
      await noteSecret(tx, partnerId);
      await insertKey(tx, {
        keyId,
        partnerId,
        encryptedSecret: encrypt(deps.encryptionKeys, secret, secretContext(partnerId, keyId)),
        issuedAt: now,
        replayUntil,
        idempotencyKey: request.key,
        bodySha256: request.bodySha256,
      });
    });
    if (replayed) throw new ApiError('SECRET_ALREADY_ISSUED');
    return { keyId, secret, issuedAt: now, replayUntil, replayed: false };
  });
  // Events that waited for a new secret can be sent.
  deps.delivery.wake();
  return issued;
}

/** A new secret and its key id. The id is sent with every callback and reveals nothing about the secret. */
function newSecret(): { keyId: string; secret: Buffer } {
  return { keyId: `k_${randomBytes(9).toString('base64url')}`, secret: randomBytes(32) };
}

/** Checks a few times, without holding a connection in between. */
async function waitForEndpoints(deps: Deps, partnerId: PartnerId): Promise<void> {
  const startedAt = performance.now();
  while (!(await hasEndpoints(deps.db, partnerId))) {
    if (performance.now() - startedAt > ENDPOINTS_WAIT_MS) throw new ApiError('ENDPOINTS_NOT_CONFIGURED');
    await wait(ENDPOINTS_POLL_MS);
  }
}
