import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { COMPILE_CACHE } from '../../../tools/testing/process.ts';
import { startTestApp, type TestApp } from '../test/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

const demo = { partnerID: 'demo', storeID: 'store-demo', beneficiaryRef: 'beneficiary-demo' };
const other = { partnerID: 'other', storeID: 'store-other', beneficiaryRef: 'beneficiary-other' };

/** Where a pooler would be: the seed must not go there. */
const POOLER = 'postgres://withdrawals@127.0.0.1:9/pay';

async function seed(environment = 'TEST'): Promise<unknown> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./seed.ts', import.meta.url))], {
    env: { ...COMPILE_CACHE, ENVIRONMENT: environment, DATABASE_URL: POOLER, DATABASE_DIRECT_URL: t.databaseUrl },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.stdin.end(JSON.stringify({ demo: { ...demo, usdtBalance: '10000.000000' }, other }));
  return (await once(child, 'close'))[0];
}

describe('the seed', () => {
  it('gives the demo partner 10000 USDT by a real funding, and both a recipient; run again it changes nothing', async () => {
    expect([await seed(), await seed()]).toEqual([0, 0]);
    const balance = await t.call('GET', '/api/withdrawal-balances/store-demo', { partner: 'demo' });
    expect(balance.body['availableUsdt']).toBe('10000.000000');
    expect(await t.balance('store-demo')).toMatchObject({ credited: 10_000_000_000n });
    const { body } = await t.operate('olga', 'GET', '/fundings?storeId=store-demo');
    expect(body['items']).toEqual([expect.objectContaining({ status: 'CONFIRMED', amountRub: '1000000.00' })]);
    const ofDemo = { partner: 'demo', storeId: 'store-demo', beneficiaryRef: 'beneficiary-demo' };
    expect((await t.request(ofDemo, '1')).status).toBe(201);
    expect((await t.request({ ...ofDemo, beneficiaryRef: 'beneficiary-other' }, '1')).status).toBe(404);
  });
});
