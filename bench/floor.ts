import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { saturate, type LoadResult } from './load.ts';

/** The maximum of this machine, measured without any of our code: the figures to compare ours with. */

const SECONDS = 5;
/** As many connections as a service's pool has. */
const POOL_SIZE = 10;

/** Only the statements of a status read: the payment by id and partner, and the nonce. */
export async function floorOfReads(urls: Urls, paymentId: string, partnerId: string): Promise<LoadResult> {
  return withPools(urls, ({ payments, gateway }) =>
    saturate({
      concurrency: POOL_SIZE,
      seconds: SECONDS,
      warmUpSeconds: 1,
      one: async () => {
        await gateway.query(NONCE);
        await payments.query('select * from payments where payment_id = $1 and partner_id = $2', [
          paymentId,
          partnerId,
        ]);
      },
    }),
  );
}

/** Only the statements of a card create, in its two transactions. */
export async function floorOfCreates(urls: Urls, template: Template): Promise<LoadResult> {
  return withPools(urls, ({ payments, gateway }) =>
    saturate({
      concurrency: POOL_SIZE,
      seconds: SECONDS,
      warmUpSeconds: 1,
      one: async () => {
        await gateway.query(NONCE);
        await createAndSubmit(payments, template);
      },
    }),
  );
}

/** Only the statements of a payment's whole life, in gateway and payments, until the message is published. */
export async function floorOfLives(urls: Urls, template: Template): Promise<LoadResult> {
  return withPools(urls, ({ payments, gateway }) =>
    saturate({
      concurrency: POOL_SIZE,
      seconds: SECONDS,
      warmUpSeconds: 1,
      one: async () => {
        await gateway.query(NONCE);
        const paymentId = await createAndSubmit(payments, template);
        await payments.query('select * from payments where payment_id = $1', [paymentId]);
        await inTransaction(payments, async (client) => {
          await client.query('select * from payments where payment_id = $1 for update', [paymentId]);
          await client.query('update payments set card_sent_at = clock_now() where payment_id = $1 returning *', [paymentId]); // prettier-ignore
        });
        await complete(payments, paymentId, template);
      },
    }),
  );
}

type Urls = { readonly gateway: string; readonly payments: string };
type Template = { readonly partnerId: string; readonly pointId: string; readonly routeId: string };

const NONCE = `insert into nonces (slot, digest)
  select extract(epoch from clock_timestamp())::bigint / 900, gen_random_uuid() on conflict do nothing`;
const CLAIM = `insert into idempotency_records (partner_id, key, operation, body_sha256, object_id, status)
  values ($1, $2, 'POST /api/card', repeat('0', 64), '', 0) on conflict do nothing returning key`;
const BIND = `update idempotency_records set object_id = $3, status = 201 where partner_id = $1 and key = $2`;
const INSERT = `insert into payments (payment_id, partner_id, payment_point_id, route_id, method, merchant_order_id,
    amount_kopecks, description, customer_id, fee_basis_points, status, form_token, expires_at)
  values ($1, $2, $3, $4, 'CARD', $5, 1050, 'floor', 'floor', 0, 'CREATED', $5, clock_now() + interval '1 hour') returning *`;
const SUBMIT = `update payments set status = 'SUBMITTED', updated_at = clock_now()
  where payment_id = $1 and status = 'CREATED' returning *`;

async function createAndSubmit(pool: pg.Pool, { partnerId, pointId, routeId }: Template): Promise<string> {
  const paymentId = randomUUID();
  const key = randomUUID();
  await inTransaction(pool, async (client) => {
    await client.query(CLAIM, [partnerId, key]);
    await client.query('select * from payment_points where partner_id = $1', [partnerId]);
    await client.query('select * from routes where route_id = $1', [routeId]);
    await client.query('select clock_now()');
    await client.query(INSERT, [paymentId, partnerId, pointId, routeId, `floor-${key}`]);
    await client.query(BIND, [partnerId, key, paymentId]);
  });
  await inTransaction(pool, async (client) => {
    await client.query('select * from payments where payment_id = $1 for update', [paymentId]);
    await client.query('select clock_now()');
    await client.query(SUBMIT, [paymentId]);
  });
  return paymentId;
}

const BOOK = `insert into ledger_transactions (ledger_transaction_id, kind, reference_id) values ($1, 'PAYMENT', $2)`;
const ENTRIES = `insert into ledger_entries (ledger_transaction_id, account, owner, amount_kopecks)
  values ($1, 'ACQUIRER_CLEARING', $2, 1050), ($1, 'PARTNER_PAYABLE', $3, -1050)`;
const COMPLETE = `update payments set status = 'COMPLETED', ledger_transaction_id = $2, aggregate_version = 1
  where payment_id = $1 and status = 'SUBMITTED' returning *`;

/** The booking, without its message. */
async function complete(pool: pg.Pool, paymentId: string, { partnerId, routeId }: Template): Promise<void> {
  const ledgerTransactionId = randomUUID();
  await inTransaction(pool, async (client) => {
    await client.query('select * from payments where payment_id = $1 for update', [paymentId]);
    await client.query('select clock_now()');
    await client.query(BOOK, [ledgerTransactionId, paymentId]);
    await client.query(ENTRIES, [ledgerTransactionId, routeId, partnerId]);
    await client.query(COMPLETE, [paymentId, ledgerTransactionId]);
  });
}

async function inTransaction(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await work(client);
    await client.query('commit');
  } finally {
    client.release();
  }
}

async function withPools<T>(
  urls: Urls,
  work: (pools: { payments: pg.Pool; gateway: pg.Pool }) => Promise<T>,
): Promise<T> {
  const payments = new pg.Pool({ connectionString: urls.payments, max: POOL_SIZE });
  const gateway = new pg.Pool({ connectionString: urls.gateway, max: POOL_SIZE });
  try {
    return await work({ payments, gateway });
  } finally {
    await Promise.all([payments.end(), gateway.end()]);
  }
}
