import { sql } from 'drizzle-orm';
import type { EventType } from '@pay/contract/events.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { selectRows } from '@pay/shared/postgres/select-rows.ts';
import type { SigningKeyRow } from './claim-statement.ts';

/** An event as it is streamed. */
export type StreamedEvent = {
  readonly position: bigint;
  readonly eventId: string;
  readonly type: EventType;
  readonly body: Buffer;
};

/** The number of each partner's newest event. */
export async function newestPositions(reader: Reader, partnerIds: readonly PartnerId[]): Promise<ReadonlyMap<PartnerId, bigint>> {
  const rows = await selectRows<{ partner_id: PartnerId; position: string }>(
    reader,
    sql`select asked.partner_id, newest.position from unnest(${sql.param(partnerIds)}::text[]) as asked (partner_id)
      cross join lateral (select events.position from events where events.partner_id = asked.partner_id
        and events.position is not null order by events.position desc limit 1) as newest`,
  );
  return new Map(rows.map((row) => [row.partner_id, BigInt(row.position)]));
}

/** A partner's events with numbers above `after`, up to and including `upTo`, in their order. */
export async function listPositions(
  reader: Reader,
  partnerId: PartnerId,
  range: { readonly after: bigint; readonly upTo: bigint },
  limit: number,
): Promise<StreamedEvent[]> {
  const rows = await selectRows<{ position: string; event_id: string; type: EventType; body: Buffer }>(
    reader,
    sql`select position, event_id, type, body from events
      where partner_id = ${partnerId} and position > ${range.after} and position <= ${range.upTo} order by position limit ${limit}`,
  );
  return rows.map((row) => ({ position: BigInt(row.position), eventId: row.event_id, type: row.type, body: row.body }));
}

/** The keys that sign a partner's callbacks now, newest first, and the real time, which receivers compare with theirs. */
export async function readSigning(
  reader: Reader,
  partnerId: PartnerId,
): Promise<{ readonly keys: readonly SigningKeyRow[]; readonly realNow: Date }> {
  const rows = await selectRows<{ keys: SigningKeyRow[] | null; milliseconds: string }>(
    reader,
    sql`select trunc(extract(epoch from clock_timestamp()) * 1000)::bigint as milliseconds,
      (select jsonb_agg(jsonb_build_object('keyId', k.key_id, 'encryptedSecret', k.encrypted_secret) order by k.issued_at desc)
        from callback_keys k where k.partner_id = ${partnerId} and (k.expires_at is null or k.expires_at > clock_now())) as keys`,
  );
  return { keys: rows[0]?.keys ?? [], realNow: new Date(Number(rows[0]?.milliseconds)) };
}
