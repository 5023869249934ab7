import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { encrypt, singleKey } from '@pay/shared/encryption/encryption.ts';
import { wakeRelay } from '@pay/shared/outbox/outbox.ts';
import { callbackKey, type CallbackKey } from '@pay/signing/callback-signature.ts';
import type pg from 'pg';
import { secretContext } from '../src/domain/callback-secret.ts';
import { paymentMessage } from './app.ts';

/** How these partners' secrets are encrypted; a notifier needs it to open them. */
export const ENCRYPTION = { ENCRYPTION_KEY: randomBytes(32).toString('base64'), ENCRYPTION_KEY_ID: 'test' } as const;

/** Inserts partners with an address and a secret, as the notifier stores them. All have the same secret. */
export async function insertPartners(
  pool: pg.Pool,
  partners: readonly { readonly partnerId: string; readonly url: string }[],
): Promise<readonly CallbackKey[]> {
  const secret = randomBytes(32);
  const keys = singleKey(ENCRYPTION.ENCRYPTION_KEY_ID, Buffer.from(ENCRYPTION.ENCRYPTION_KEY, 'base64'));
  const rows = partners.map(({ partnerId, url }) => ({
    partner_id: partnerId,
    url,
    key_id: `k_${partnerId}`,
    encrypted: encrypt(keys, secret, secretContext(partnerId, `k_${partnerId}`)),
  }));
  const given = 'jsonb_to_recordset($1) as r (partner_id text, url text, key_id text, encrypted text)';
  await pool.query(
    `insert into receivers (partner_id, callback_url, endpoints_revision, configured_at) select partner_id, url, 1, clock_now() from ${given}`,
    [JSON.stringify(rows)],
  );
  await pool.query(
    `insert into callback_keys (key_id, partner_id, encrypted_secret, issued_at, replay_until, idempotency_key, body_sha256)
     select key_id, partner_id, encrypted, clock_now(), clock_now(), key_id, '' from ${given}`,
    [JSON.stringify(rows)],
  );
  return rows.map((row) => callbackKey(row.key_id, secret));
}

/**
 * Commits facts as payments does: rows of its outbox, for `startFactsRelay` to publish. Returns the events' ids, with
 * the versions of each payment in order.
 */
export async function commitFacts(
  pool: pg.Pool,
  facts: readonly { readonly partnerId: string; readonly paymentId: string; readonly versions: number }[],
): Promise<string[]> {
  const rows = facts.flatMap(({ partnerId, paymentId, versions }) =>
    Array.from({ length: versions }, (_none, index) => {
      const type = index === 0 ? ('payment.completed' as const) : ('payment.failed' as const);
      const payload = JSON.stringify(paymentMessage(partnerId, paymentId, index + 1, type));
      return { messageId: randomUUIDv7(), type, paymentId, payload };
    }),
  );
  const columns = rows.map((_row, index) => {
    const [id, type, payment, payload] = [1, 2, 3, 4].map((column) => `$${String(4 * index + column)}`);
    return `(${[id, type, payment, 'clock_now()', payload].join(', ')})`;
  });
  await pool.query({
    // A prepared statement, like a service's own.
    name: `commit-facts-${String(rows.length)}`,
    text: `insert into outbox (message_id, type, aggregate_id, occurred_at, payload) values ${columns.join(', ')}`,
    values: rows.flatMap(({ messageId, type, paymentId, payload }) => [messageId, type, paymentId, payload]),
  });
  wakeRelay(pool);
  return rows.map((row) => row.messageId);
}

/**
 * Inserts a backlog: events that are due now, `perPartner` for each, without messages. Ids are generated as services
 * do.
 */
export async function insertBacklog(pool: pg.Pool, partnerIds: readonly string[], perPartner: number): Promise<void> {
  const aggregateIds = Array.from({ length: partnerIds.length * perPartner }, () => randomUUIDv7());
  await pool.query(
    `with given as (
       select aggregate_id, event_id, ($1::text[])[1 + (place - 1) % cardinality($1::text[])] as partner_id
       from unnest($2::uuid[], $3::uuid[]) with ordinality as r (aggregate_id, event_id, place)
     ), made as (
       insert into aggregates (aggregate_id, partner_id, kind, due_at)
       select aggregate_id, partner_id, 'payment', clock_now() from given)
     insert into events (event_id, partner_id, type, aggregate_id, aggregate_version, body, status, next_attempt_at)
     select event_id, partner_id, 'payment.completed', aggregate_id, 1, convert_to(jsonb_build_object(
       'schemaVersion', 1, 'eventId', event_id, 'type', 'payment.completed', 'aggregateVersion', 1,
       'createdAt', '2026-11-20T10:00:00.000Z', 'data', jsonb_build_object('paymentId', aggregate_id, 'orderId', aggregate_id,
       'merchantOrderId', 'order-1001', 'status', 'COMPLETED', 'amount', '10.50', 'currency', 'RUB', 'paymentMethod', 'CARD',
       'bankOperationId', 'bank-1', 'occurredAt', '2026-11-20T10:00:00.000Z'))::text, 'UTF8'), 'WAITING', clock_now()
     from given`,
    [partnerIds, aggregateIds, aggregateIds.map(() => randomUUIDv7())],
  );
}
