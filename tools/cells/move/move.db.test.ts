import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decrypt, encrypt, singleKey } from '../../../packages/shared/src/encryption/encryption.ts';
import { toApiError } from '../../../packages/shared/src/http/error-middleware.ts';
import type { PartnerId } from '../../../packages/shared/src/identities/identities.ts';
import { withClient } from '../../infrastructure/provision.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { connectTo, disconnect, rowsOf, type Connections } from './cells.ts';
import { copyService } from './copy.ts';
import { openOf } from './drain.ts';
import { allowChanges, refuseChanges } from './fence.ts';
import { obstaclesOf } from './obstacles.ts';
import type { Settings } from './settings.ts';
import { MOVED_SERVICES, MOVED_TABLES, whereOf, type MovedService } from './tables.ts';

const [PARTNER, STAYS] = ['shop-a' as PartnerId, 'shop-b' as PartnerId];
const keys = { from: singleKey('one', randomBytes(32)), to: singleKey('two', randomBytes(32)) };

/** Each cell has a database for each service, with nothing of the others. In `npm run test:cells` both have one for all. */
type Databases = ReadonlyMap<MovedService, TestDatabase>;
let old: Databases = new Map();
let fresh: Databases = new Map();
let [from, to]: Connections[] = [];
let settings: Settings;

beforeAll(async () => {
  const create = async () => {
    const databases = new Map<MovedService, TestDatabase>();
    for (const service of MOVED_SERVICES) databases.set(service, await createTestDatabase(service));
    return databases;
  };
  old = await create();
  fresh = await create();
  const cellOf = (name: string, all: Databases, own: typeof keys.from) => {
    const urlOf = ({ ownerUrl }: TestDatabase) => Object.assign(new URL(ownerUrl), { search: '' }).href;
    const databases = Object.fromEntries([...all].map(([service, database]) => [service, urlOf(database)]));
    return { name, checkoutUrl: `https://${name}.example`, databases, encryption: { payments: own, notifier: own } };
  };
  settings = { from: cellOf('cell-1', old, keys.from), to: cellOf('cell-2', fresh, keys.to), proxies: [{ socket: '', map: '' }] };
  [from, to] = [await connectTo(settings.from), await connectTo(settings.to)];
  await insertPartner(here(), PARTNER);
  await insertPartner(here(), STAYS);
  await there().gateway.query('select roll_nonce_partitions()');
  await there().payments.query(`insert into routes (route_id, connector) values ('bank-a', 't-bank')`);
});
afterAll(async () => {
  if (from !== undefined) await disconnect(from);
  if (to !== undefined) await disconnect(to);
  for (const database of [...old.values(), ...fresh.values()]) await database.drop();
});

const given = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('the cells are not there');
  return value;
};
const here = () => given(from);
const there = () => given(to);

/** At least one row in every table that moves. */
async function insertPartner(cell: Connections, partnerId: PartnerId): Promise<void> {
  const [paymentId, refundId, bindingId, consentId, booked, refunded, eventId] = Array.from({ length: 7 }, () => randomUUID());
  const [route, point, store, keyId] = [`bank-${partnerId.slice(-1)}`, `point-${partnerId}`, `store-${partnerId}`, `key-${partnerId}`];
  const sealed = (context: string) => encrypt(keys.from, Buffer.from(`secret of ${partnerId}`), context);
  const run = async (service: MovedService, statements: readonly string[], values: Readonly<Record<string, string>>) => {
    const all = { partnerId, paymentId, refundId, bindingId, consentId, booked, refunded, eventId, route, point, store, keyId, ...values };
    await cell[service].query('begin');
    for (const statement of statements) {
      const named: string[] = [];
      const sql = statement.replaceAll(
        /@([a-zA-Z]+)/g,
        (_all, name: string) => `$${String(named.push(String(all[name as keyof typeof all])))}`,
      );
      await cell[service].query(sql, named);
    }
    await cell[service].query('commit');
  };
  const hash = 'a'.repeat(64);
  await run(
    'gateway',
    [
      `insert into partners (partner_id, name, status, revision) values (@partnerId, 'Shop', 'ACTIVE', nextval('partner_revision'))`,
      `insert into partner_keys (key_id, partner_id, public_key, fingerprint, status, registered_by, activated_by)
       values (gen_random_uuid(), @partnerId, @publicKey, 'f', 'ACTIVE', 'anna', 'boris')`,
    ],
    { publicKey: `ssh-ed25519 ${partnerId}` },
  );
  await cell.gateway.query('select roll_nonce_partitions()');
  await cell.gateway.query(
    `insert into nonces (slot, digest) values (extract(epoch from clock_timestamp())::bigint / 900, gen_random_uuid())`,
  );
  const idempotency = `insert into idempotency_records (partner_id, key, operation, body_sha256, object_id, status)
    values (@partnerId, 'key-1', 'POST /x', '${hash}', @paymentId, 201)`;
  await run(
    'payments',
    [
      `insert into routes (route_id, connector) values (@route, 't-bank')`,
      `insert into stores (store_id, partner_id, name) values (@store, @partnerId, 'Shop')`,
      `insert into payment_points (payment_point_id, store_id, partner_id, name, payment_methods, route_id) values (@point, @store, @partnerId, 'Till', '{CARD}', @route)`,
      `insert into point_routes (payment_point_id, method, priority, route_id) values (@point, 'CARD', 1, @route)`,
      `insert into integration_endpoints (partner_id, callback_url, return_url, revision) values (@partnerId, 'https://a.example/c', 'https://a.example/r', 1)`,
      `insert into payments (payment_id, partner_id, payment_point_id, route_id, method, merchant_order_id, amount_kopecks, description, customer_id,
         fee_basis_points, status, form_token, expires_at, aggregate_version, ledger_transaction_id, receipt, refund_reserved_kopecks)
       values (@paymentId, @partnerId, @point, @route, 'CARD', 'order-1', 9007199254740993, 'Чай', 'buyer', 100, 'COMPLETED', @paymentId, now(), 1, @booked,
         '{"items": [{"price": 10.50}]}', 100)`,
      `insert into declined_cards (operation_id, next_operation_id, payment_id, attempt, failure_code, sent_at, declined_at)
       values (gen_random_uuid(), gen_random_uuid(), @paymentId, 1, 'CARD_DECLINED', now(), now())`,
      `insert into refunds (refund_id, payment_id, partner_id, amount_kopecks, status, completed_at) values (@refundId, @paymentId, @partnerId, 100, 'COMPLETED', now())`,
      `insert into saved_cards (binding_id, partner_id, customer_id, payment_id, payment_point_id, card_token_encrypted)
       values (@bindingId, @partnerId, 'buyer', @paymentId, @point, @token)`,
      `insert into money_returns (return_id, payment_id, bank_operation_id, route_id, amount_kopecks, status) values (gen_random_uuid(), @paymentId, 'b-1', @route, 5, 'COMPLETED')`,
      `insert into exceptions (kind, payment_id, operation_id, reason, status, note, resolved_by, resolved_at)
       values ('LATE_SUCCESS', @paymentId, @paymentId, 'late', 'RESOLVED', 'done', 'anna', now())`,
      `insert into reconciliation_items (route_id, day, operation_id, run_id, result, kind, payment_id, bank_kopecks, our_kopecks)
       values (@route, '2026-11-23', @paymentId, gen_random_uuid(), 'MATCHED', 'PAYMENT', @paymentId, 1, 1)`,
      `insert into ledger_transactions (ledger_transaction_id, kind, reference_id) values (@booked, 'PAYMENT', @paymentId), (@refunded, 'REFUND', @refundId)`,
      `insert into ledger_entries (ledger_transaction_id, account, owner, amount_kopecks) values (@booked, 'ACQUIRER_CLEARING', @route, 1000),
         (@booked, 'PARTNER_PAYABLE', @partnerId, -990), (@booked, 'FEE_INCOME', @point, -10)`,
      `insert into ledger_entries (ledger_transaction_id, account, owner, amount_kopecks) values (@refunded, 'PARTNER_PAYABLE', @partnerId, 100), (@refunded, 'ACQUIRER_CLEARING', @route, -100)`,
      `insert into registers (register_id, partner_id, day, opening_kopecks, payments_kopecks, charges_kopecks, refunds_kopecks, fees_kopecks, closing_kopecks, line_count, highest_position, settled_position)
       values (@consentId, @partnerId, '2026-11-23', 0, 1000, 0, 0, -10, 990, 1, 900, 800)`,
      `insert into register_lines (ledger_transaction_id, register_id, line, booked_at, type, payment_id, merchant_order_id, payment_point_id, method, amount_kopecks, fee_kopecks, balance_kopecks)
       values (@booked, @consentId, 1, now(), 'PAYMENT', @paymentId, 'order-1', @point, 'CARD', 1000, -10, 990)`,
      idempotency,
    ],
    { token: sealed(`card-token:${bindingId ?? ''}`) },
  );
  await run(
    'bindings',
    [
      `insert into consents (consent_id, binding_id, payment_id, partner_id, customer_id, period, consent_capture, version, sha256, accepted_at)
       values (@consentId, @bindingId, @paymentId, @partnerId, 'buyer', 'P1M', 'MERCHANT', '1', '${hash}', now())`,
      `insert into bindings (binding_id, partner_id, customer_id, consent_id, period, status, last_charged_at, next_charge_at, anchor_day, aggregate_version)
       values (@bindingId, @partnerId, 'buyer', @consentId, 'P1M', 'ACTIVE', now(), now() + interval '1 month', 31, 1)`,
      `insert into charges (payment_id, binding_id, partner_id, merchant_order_id, amount_kopecks, description, status, idempotency_key, attempt_count, leased_until)
       values (@refundId, @bindingId, @partnerId, 'charge-1', 100, 'Tea', 'COMPLETED', 'k', 1, now())`,
      idempotency,
    ],
    {},
  );
  await run(
    'withdrawals',
    [
      `insert into stores (store_id, partner_id, name) values (@store, @partnerId, 'Shop')`,
      `insert into beneficiaries (beneficiary_ref, partner_id, label, status, issued_by, decided_by) values (@point, @partnerId, 'Recipient', 'ISSUED', 'anna', 'boris')`,
      `insert into balances (store_id, available_micro_usdt, reserved_micro_usdt, paid_micro_usdt, credited_micro_usdt) values (@store, 5000000, 0, 0, 5000000)`,
      `insert into withdrawals (withdrawal_request_id, partner_id, store_id, beneficiary_ref, amount_micro_usdt, status, status_reason)
       values (@refundId, @partnerId, @store, @point, 1000000, 'REJECTED', 'no')`,
      `insert into fundings (funding_id, store_id, amount_micro_usdt, amount_kopecks, rate_micro_rub, reference, status, proposed_by, decided_by, decided_at)
       values (@paymentId, @store, 5000000, 50000, 100000000, @partnerId, 'CONFIRMED', 'anna', 'boris', now())`,
      `insert into ledger_transactions (ledger_transaction_id, kind, reference_id) values (@booked, 'FUNDED', @paymentId)`,
      `insert into ledger_entries (ledger_transaction_id, store_id, account, amount_micro_usdt) values (@booked, @store, 'AVAILABLE', 5000000), (@booked, @store, 'FUNDING', -5000000)`,
      `insert into registers (register_id, partner_id, day, opening_available_micro_usdt, opening_reserved_micro_usdt, funded_micro_usdt, requested_micro_usdt, released_micro_usdt,
         completed_micro_usdt, closing_available_micro_usdt, closing_reserved_micro_usdt, line_count) values (@consentId, @partnerId, '2026-11-23', 0, 0, 5000000, 0, 0, 0, 5000000, 0, 1)`,
      `insert into register_lines (ledger_transaction_id, register_id, line, booked_at, type, store_id, funding_id, amount_micro_usdt, available_change_micro_usdt, reserved_change_micro_usdt,
         available_micro_usdt, reserved_micro_usdt) values (@booked, @consentId, 1, now(), 'FUNDING', @store, @paymentId, 5000000, 5000000, 0, 5000000, 0)`,
      idempotency,
    ],
    {},
  );
  await run(
    'notifier',
    [
      `insert into receivers (partner_id, callback_url, endpoints_revision) values (@partnerId, 'https://a.example/c', 1)`,
      `insert into callback_keys (key_id, partner_id, encrypted_secret, issued_at, replay_until, idempotency_key, body_sha256) values (@keyId, @partnerId, @secret, now(), now(), 'k', '${hash}')`,
      `insert into aggregates (aggregate_id, partner_id, kind, next_version, last_version, due_at) values (@paymentId, @partnerId, 'payment', 1, 1, now())`,
      `insert into events (event_id, partner_id, type, aggregate_id, aggregate_version, body, status, next_attempt_at) values (@eventId, @partnerId, 'payment.completed', @paymentId, 1, '{}', 'WAITING', now())`,
      `insert into attempts (event_id, partner_id, number, url, key_ids, started_at, duration_ms, outcome, excerpt) values (@eventId, @partnerId, 1, 'https://a.example/c', @keyId, now(), 5, 'RETRY', '\\xff00'::bytea)`,
      `insert into alerts (partner_id, kind, event_id) values (@partnerId, 'DEAD_ADDRESS', @eventId)`,
      `insert into replays (replay_id, partner_id, requested_by, "from", "to", types, statuses, total, state) values (@refundId, @partnerId, 'anna', now(), now(), '{}', '{}', 0, 'DONE')`,
      idempotency,
    ],
    { secret: sealed(`callback-secret:${partnerId}:${keyId}`) },
  );
}

const obstacles = () => obstaclesOf({ from: here(), to: there() }, settings, PARTNER);

describe('what is in the way', () => {
  it('nothing, for a partner of which nothing is undecided', async () => {
    expect(await obstacles()).toEqual([]);
    expect(await openOf(here(), PARTNER)).toEqual([]);
  });

  it.each<readonly [string, 'from' | 'to', MovedService, string, string]>([
    ['cell-1 has no partner shop-a', 'from', 'gateway', `update partners set partner_id = 'gone' where partner_id = 'shop-a'`, ''],
    [
      'shop-a is suspended in cell-1: resume it first',
      'from',
      'gateway',
      `update partners set status = 'SUSPENDED' where partner_id = 'shop-a'`,
      '',
    ],
    ['cell-2 has rows of shop-a in notifier.receivers', 'to', 'notifier', `insert into receivers (partner_id) values ('shop-a')`, ''],
    [
      '1 withdrawal requests are not decided and paid out',
      'from',
      'withdrawals',
      `update withdrawals set status = 'REQUESTED', status_reason = null where partner_id = 'shop-a'`,
      '',
    ],
    [
      '1 exceptions are not resolved',
      'from',
      'payments',
      `insert into exceptions (kind, payment_id, operation_id, reason) select 'STATE_MISMATCH', payment_id, 'x', 'y' from payments where partner_id = 'shop-a'`,
      '',
    ],
    [
      'cell-2 has no route bank-a with the connector t-bank: its payments could not be refunded there',
      'to',
      'payments',
      `update routes set connector = 'sandbox-bank' where route_id = 'bank-a'`,
      '',
    ],
    [
      'cell-2 has the store store-shop-a already, of another partner',
      'to',
      'payments',
      `insert into stores (store_id, partner_id, name) values ('store-shop-a', 'shop-c', 'x')`,
      '',
    ],
    [
      'payments has another version of its schema in cell-1 than in cell-2',
      'to',
      'payments',
      `insert into migrations (hash, created_at) values ('x', 9999999999999)`,
      '',
    ],
    [
      'the keys given for notifier of cell-1 do not decrypt its callback_keys',
      'from',
      'notifier',
      `update callback_keys set encrypted_secret = 'v1.one.a.b.c' where partner_id = 'shop-a'`,
      '',
    ],
  ])('%s', async (sentence, where, service, statement) => {
    const client = (where === 'from' ? here() : there())[service];
    await client.query('begin');
    // Read on the same connection, and taken back.
    if (statement.includes(`'gone'`)) await client.query('delete from partner_keys where partner_id = $1', [PARTNER]);
    await client.query(statement);
    const found = await obstacles();
    await client.query('rollback');
    expect(found).toEqual([sentence]);
  });

  it.each<readonly [string, MovedService, string]>([
    ['1 payments are open', 'payments', `update payments set next_read_at = now() where partner_id = 'shop-a'`],
    ['1 refunds are open', 'payments', `update refunds set next_read_at = now() where partner_id = 'shop-a'`],
    ['1 saved cards are being charged', 'bindings', `update bindings set open_payment_id = gen_random_uuid() where partner_id = 'shop-a'`],
    [
      '1 callbacks are being sent',
      'notifier',
      `update aggregates set leased_until = clock_timestamp() + interval '1 minute' where partner_id = 'shop-a'`,
    ],
    [
      '1 facts are on their way between services',
      'payments',
      `insert into outbox (message_id, type, aggregate_id, payload, occurred_at) values (gen_random_uuid(), 'store.created', 'x', '{"partnerId": "shop-a"}', now())`,
    ],
  ])('waits: %s', async (phrase, service, statement) => {
    await here()[service].query('begin');
    await here()[service].query(statement);
    const open = await openOf(here(), PARTNER);
    await here()[service].query('rollback');
    expect(open).toEqual([phrase]);
  });
});

describe('a partner that is being moved', () => {
  const asService = async (service: MovedService, sql: string) =>
    withClient(given(old.get(service)).urls[service], (client) => client.query(sql)).then(
      () => 'done',
      (error: unknown) => toApiError(error).message,
    );
  const refusal = 'this partner lives in cell-2 now: act there';

  it('is not acted for in the old cell, whoever asks; others are', async () => {
    await refuseChanges(here(), PARTNER, settings.to);
    const refund = (partnerId: string) =>
      `insert into refunds (refund_id, payment_id, partner_id, amount_kopecks, next_read_at) select gen_random_uuid(), payment_id, partner_id, 1, null from payments where partner_id = '${partnerId}'`;
    expect(await asService('payments', refund('shop-a'))).toBe(refusal);
    expect(await asService('payments', refund('shop-b'))).toBe('done');
    expect(
      await asService(
        'payments',
        `insert into money_returns (return_id, payment_id, bank_operation_id, route_id, amount_kopecks) select gen_random_uuid(), payment_id, 'late', route_id, 1 from payments where partner_id = 'shop-a'`,
      ),
    ).toBe(refusal);
    expect(await asService('bindings', `update bindings set status = 'REVOKED', revoked_at = now() where partner_id = 'shop-a'`)).toBe(
      refusal,
    );
    expect(await asService('withdrawals', `update withdrawals set status = 'APPROVED' where partner_id = 'shop-a'`)).toBe(refusal);
    expect(await asService('withdrawals', `update fundings set status = 'REJECTED' where store_id = 'store-shop-a'`)).toBe(refusal);
    expect(await asService('notifier', `update events set status = 'WAITING' where partner_id = 'shop-a'`)).toBe(refusal);
    expect(await asService('gateway', `update partners set status = 'ACTIVE' where partner_id = 'shop-a'`)).toBe(refusal);
  });

  it('is found whatever the search path is', async () => {
    const update = (partnerId: string) =>
      withClient(given(old.get('payments')).adminUrl, (client) =>
        client.query(`update payments.payments set status = status where partner_id = '${partnerId}'`),
      );
    expect((await update('shop-b')).rowCount).toBe(1);
    await expect(update('shop-a')).rejects.toThrow(refusal);
  });

  it('can still have its buyers erased', async () => {
    expect(await asService('payments', `update payments set customer_id = 'erased' where partner_id = 'shop-a'`)).toBe('done');
  });

  it('is let go on when the move is given up', async () => {
    await allowChanges(here(), PARTNER);
    const [partner] = await rowsOf<{ status: string }>(here().gateway, 'select status from partners where partner_id = $1', [PARTNER]);
    expect(partner?.status).toBe('ACTIVE');
    expect(await asService('notifier', `update events set status = 'WAITING' where partner_id = 'shop-a'`)).toBe('done');
  });
});

describe('the copy', () => {
  const copyAll = async (services: readonly MovedService[]) => {
    for (const service of services) await copyService({ from: here(), to: there(), settings, partnerId: PARTNER }, service);
  };
  const rollBack = async () => {
    for (const service of MOVED_SERVICES) {
      await there()[service].query('rollback');
      await here()[service].query('rollback');
    }
  };

  it('is refused where the new cell has something else than the old one', async () => {
    await there().notifier
      .query(`create function spoil() returns trigger language plpgsql as $$ begin new.callback_url := 'https://b.example'; return new; end $$;
      create trigger spoil before insert on receivers for each row execute function spoil()`);
    await expect(copyAll(['notifier'])).rejects.toThrow('notifier.receivers differs: 1 rows in cell-1, 1 in cell-2');
    await rollBack();
    await there().notifier.query('drop trigger spoil on receivers; drop function spoil');
  });

  it('has every row, and nothing of others; places stay, numbers are new, secrets are under the new key', async () => {
    await refuseChanges(here(), PARTNER, settings.to);
    await copyAll(MOVED_SERVICES);
    for (const service of MOVED_SERVICES) await there()[service].query('commit');
    for (const service of MOVED_SERVICES) {
      for (const table of MOVED_TABLES[service]) {
        const count = async (cell: Connections, where: string, values: readonly string[]) =>
          (await rowsOf(cell[service], `select from ${table.name} t where ${where}`, values)).length;
        const path = `${service}.${table.name}`;
        const own = await count(here(), whereOf(table), [PARTNER]);
        expect([path, own > 0]).toEqual([path, true]);
        expect([path, await count(there(), 'true', [])]).toEqual([path, own]);
      }
    }
    const secretOf = async (service: MovedService, sql: string, context: (id: string) => string) => {
      const [row] = await rowsOf<{ id: string; value: string }>(there()[service], sql);
      return decrypt(keys.to, row?.value ?? '', context(row?.id ?? '')).toString();
    };
    expect(
      await secretOf('payments', 'select binding_id as id, card_token_encrypted as value from saved_cards', (id) => `card-token:${id}`),
    ).toBe('secret of shop-a');
    expect(
      await secretOf(
        'notifier',
        'select key_id as id, encrypted_secret as value from callback_keys',
        (id) => `callback-secret:shop-a:${id}`,
      ),
    ).toBe('secret of shop-a');
    const exact = 'select amount_kopecks::text as amount, receipt::text as receipt from payments';
    expect(await rowsOf(there().payments, exact)).toEqual([{ amount: '9007199254740993', receipt: '{"items": [{"price": 10.50}]}' }]);
    // The register has the first of two bookings: the next closing begins behind its three entries.
    const settled = 'select highest_position::int as highest, settled_position::int as settled from registers';
    expect(await rowsOf(there().payments, settled)).toEqual([{ highest: 4, settled: 3 }]);
    const [place] = await rowsOf<{ next: string; newest: string }>(
      there().notifier,
      `select nextval('event_positions')::text as next, (select max(position)::text from events) as newest`,
    );
    expect(BigInt(place?.next ?? 0)).toBeGreaterThan(BigInt(place?.newest ?? 0));
    const [nonces] = await rowsOf<{ n: number }>(there().gateway, 'select count(*)::int as n from nonces');
    expect(nonces?.n).toBe(2);
    const partner = await rowsOf(there().gateway, 'select status, told_revision from partners');
    expect(partner).toEqual([{ status: 'ACTIVE', told_revision: '0' }]);
  });

  it('is made once: a service that was committed is there already', async () => {
    await expect(copyAll(['bindings'])).rejects.toThrow(/duplicate key/);
    await rollBack();
    expect(await obstacles()).toContain('shop-a is suspended in cell-1: resume it first');
  });
});
