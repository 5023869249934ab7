import type { KeyObject } from 'node:crypto';
import type { Reader } from '@pay/shared/postgres/db.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { parseOpenSshKey, publicKeyOf } from '@pay/signing/ed25519.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import { findChangedPartners, readDatabaseMilliseconds, type PartnerKeyRow, type PartnerRow } from '../db/partners.ts';

/** A partner as the gateway knows it. */
export type Partner = { readonly partnerId: PartnerId; readonly ratePerSecond: number; readonly burst: number };
/** What the pair (partnerID, key) of a request refers to. */
export type Lookup =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not-active'; readonly partnerId: PartnerId; readonly fingerprint: string }
  | { readonly kind: 'active'; readonly partner: Partner; readonly fingerprint: string; readonly publicKey: KeyObject };

export type PartnerDirectory = {
  /** @throws ApiError 503 if the directory could not be refreshed: a revoked key must not pass. */
  find(partnerId: PartnerId, key: string): Lookup;
  /** The database's clock, in milliseconds since 1970. @throws ApiError 503 as `find`. */
  now(): number;
  /** Reads everybody. The gateway listens after this. */
  load(): Promise<void>;
  /** Keeps the directory up to date. A change is in force after at most one round; the contract allows 5 s. */
  readonly loop: Loop;
};

/** A change is seen within a second, which leaves room for four failed rounds before requests are refused. */
const REFRESH_MS = 1_000;
/** A change must be in force within five seconds, even if the database cannot be reached. */
const STALE_MS = 5_000;

type Entry = { readonly partner: Partner; readonly isActive: boolean; readonly keys: ReadonlyMap<string, Key> };
type Key = { readonly isActive: boolean; readonly fingerprint: string; readonly publicKey: KeyObject };

/**
 * All partners and keys, in memory: partners are onboarded by hand, so there are thousands, not millions. No request
 * queries the database to identify its sender, so a flood of unknown names does not load it. `onChanged` is called when
 * a partner or a key has changed.
 */
export function createPartnerDirectory(reader: Reader, onChanged: () => void): PartnerDirectory {
  const entries = new Map<string, Entry>();
  let revision = 0;
  /** Database clock minus this process's monotonic clock, which no administrator can set. */
  let offsetMs = 0;
  let refreshedAt = Number.NEGATIVE_INFINITY;

  function assertFresh(): void {
    if (performance.now() - refreshedAt > STALE_MS) throw new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 });
  }

  async function refresh(): Promise<'more' | 'done'> {
    const startedAt = performance.now();
    const databaseMs = await readDatabaseMilliseconds(reader);
    offsetMs = databaseMs - (startedAt + performance.now()) / 2;
    const changed = await findChangedPartners(reader, revision);
    for (const row of changed.partners) {
      const keys = changed.keys.filter((key) => key.partnerId === row.partnerId);
      entries.set(row.partnerId, entryOf(row, keys));
      revision = row.revision;
    }
    if (changed.partners.length > 0) {
      onChanged();
      return 'more';
    }
    // Only a round that found nothing more has seen everything committed before it began.
    refreshedAt = startedAt;
    return 'done';
  }

  return {
    async load() {
      while ((await refresh()) === 'more');
    },
    find(partnerId, key) {
      assertFresh();
      const entry = entries.get(partnerId);
      const known = entry?.keys.get(key);
      if (entry === undefined || known === undefined) return { kind: 'unknown' };
      const { fingerprint, publicKey } = known;
      if (!entry.isActive || !known.isActive) return { kind: 'not-active', partnerId, fingerprint };
      return { kind: 'active', partner: entry.partner, fingerprint, publicKey };
    },
    now() {
      assertFresh();
      return performance.now() + offsetMs;
    },
    loop: { name: 'partner-directory', intervalMs: REFRESH_MS, round: refresh },
  };
}

function entryOf(row: PartnerRow, keys: readonly PartnerKeyRow[]): Entry {
  const { partnerId, ratePerSecond, burst } = row;
  return {
    partner: { partnerId, ratePerSecond, burst },
    isActive: row.status === 'ACTIVE',
    keys: new Map(keys.map((key) => [key.publicKey, keyOf(key)])),
  };
}

function keyOf(row: PartnerKeyRow): Key {
  const bytes = parseOpenSshKey(row.publicKey);
  if (bytes === undefined) throw new Error(`key ${row.keyId} is not an OpenSSH key`);
  return { isActive: row.status === 'ACTIVE', fingerprint: row.fingerprint, publicKey: publicKeyOf(bytes) };
}
