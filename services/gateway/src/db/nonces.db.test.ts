import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { startTestDatabase } from '../../test/gateway.ts';
import { claimNonces, rollNoncePartitions } from './nonces.ts';

let test: Awaited<ReturnType<typeof startTestDatabase>>;

beforeAll(async () => {
  test = await startTestDatabase();
}, 60_000);

beforeEach(async () => {
  await rollNoncePartitions(test.database.pool);
});

afterAll(async () => {
  await test.drop();
});

const digest = () => randomUUID().replaceAll('-', '');
const currentSlot = async () => {
  const { rows } = await test.database.pool.query<{ slot: string }>(
    'select (extract(epoch from now())::bigint / 900)::text as slot',
  );
  return Number(rows[0]?.slot);
};
const partitions = async () => {
  const { rows } = await test.database.pool.query<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'nonces'::regclass order by 1",
  );
  return rows.map((row) => row.name);
};

it('tells the fresh ones of a batch', async () => {
  const [first, second] = [digest(), digest()];
  expect(await claimNonces(test.database.pool, [first])).toEqual(new Set([first]));
  expect(await claimNonces(test.database.pool, [second, first])).toEqual(new Set([second]));
});

it('refuses a nonce of the slot before', async () => {
  const used = digest();
  await test.database.pool.query('insert into nonces (slot, digest) values ($1, $2)', [
    (await currentSlot()) - 1,
    used,
  ]);
  expect(await claimNonces(test.database.pool, [used])).toEqual(new Set());
});

it('two statements at once: exactly one gets it', async () => {
  const wanted = Array.from({ length: 50 }, digest);
  const results = await Promise.all(Array.from({ length: 8 }, () => claimNonces(test.database.pool, wanted)));
  expect(results.reduce((sum, fresh) => sum + fresh.size, 0)).toBe(50);
});

it('drops what is older than the slot before, makes what comes, also from two replicas at once', async () => {
  const slot = await currentSlot();
  await test.database.pool.query(
    `create table nonces_${String(slot - 2)} partition of nonces for values in (${String(slot - 2)})`,
  );
  await test.database.pool.query(`drop table nonces_${String(slot + 2)}`);
  await Promise.all([rollNoncePartitions(test.database.pool), rollNoncePartitions(test.database.pool)]);
  expect(await partitions()).toEqual([slot - 1, slot, slot + 1, slot + 2].map((kept) => `nonces_${String(kept)}`));
  expect(await rollNoncePartitions(test.database.pool)).toEqual({ made: 0, dropped: 0 });
});
