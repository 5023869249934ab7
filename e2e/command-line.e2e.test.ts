import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { runCli, runHere, spawnCli, type CliResult } from '../packages/cli/test/run-cli.ts';
import { runningSystem } from '../tools/testing/running-system.ts';

/** `npm run pay -- …` against the running system, after `npm start`. */
describe('the command line and the whole system', () => {
  let profile = '';
  beforeAll(() => {
    profile = join(runningSystem().folder, 'demo.json');
  });
  const pay = (...args: readonly string[]): Promise<CliResult> => runHere(['--profile', profile, ...args]);
  const json = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
    const { stdout, stderr, exitCode } = await pay(...args, '--json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, unknown>;
  };

  it('doctor finds everything well', async () => {
    // As a process of its own, as somebody types it.
    const { stdout } = await runCli(['--profile', profile, 'doctor', '--json']);
    const { findings } = JSON.parse(stdout) as { findings: { what: string; ok: boolean; says: string }[] };
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
    expect(findings.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        'clock',
        'signature',
        'database',
        'broker',
        'gateway-1',
        'payments-1',
        'checkout-1',
        'form page',
        'notifier-1',
        'callback address',
      ]),
    );
  });

  it.each([
    ['4111111111111111', 'approve', 'COMPLETED', undefined],
    ['4000003800000446', 'approve', 'COMPLETED', undefined],
    ['4000003800000446', 'decline', 'REJECTED', 'AUTHENTICATION_FAILED'],
    ['4000000000009995', 'approve', 'REJECTED', 'INSUFFICIENT_FUNDS'],
  ])('card create, card pay with %s (3-D Secure: %s): %s', async (card, threeDs, status, failureCode) => {
    const { id } = await json('card', 'create', '--amount', '10.50');
    const paid = await json('card', 'pay', String(id), '--card', card, '--three-ds', threeDs);
    expect(paid).toMatchObject({ id, status, amount: '10.50' });
    expect(paid['failureCode']).toBe(failureCode);
  });

  it('callbacks listen gets the signed event of a payment that is made meanwhile, and changes no address', async () => {
    const before = await json('request', 'GET', '/api/integration/endpoints');
    const args = ['callbacks', 'listen', '--once', '--expect', 'payment.completed', '--timeout', '60'];
    const listener = spawnCli(['--profile', profile, ...args]);
    let [printed, noted] = ['', ''];
    listener.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const closed = once(listener, 'close');
    for await (const chunk of listener.stderr ?? []) {
      noted += String(chunk);
      if (noted.includes('listening to')) break;
    }
    const { id } = await json('card', 'create', '--amount', '20');
    await json('card', 'pay', String(id));
    await closed;
    expect(listener.exitCode).toBe(0);
    expect(JSON.parse(printed)).toMatchObject({ type: 'payment.completed', data: { orderId: id, amount: '20.00' } });
    expect(await json('request', 'GET', '/api/integration/endpoints')).toMatchObject({
      callbackUrl: before['callbackUrl'],
    });
  });

  it.each([
    'payment.completed',
    'payment.failed',
    'refund.pending',
    'refund.completed',
    'refund.failed',
    'payment.refunded',
    'binding.created',
    'binding.revoked',
  ])('trigger %s makes it happen', async (type) => {
    const { eventId } = await json('trigger', type);
    expect(await json('events', 'get', String(eventId))).toMatchObject({ eventId, type });
  });

  it('--other is the other partner, who finds nothing of the first', async () => {
    const { stdout, exitCode } = await pay('--other', 'request', 'GET', '/api/card/5f0c7a52-6a0a-4d0e-9a52-0e6a2a4a9f11', '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('operator: registers a key, and only another operator activates it', async () => {
    const { publicKey } = await json('keys', 'generate');
    const partnerID = `cli-${String(process.pid)}`;
    await json('operator', '--as', 'anna', 'partners', 'create', partnerID, 'Made on the command line');
    const { keyId } = await json('operator', '--as', 'anna', 'keys', 'register', partnerID, String(publicKey));
    const own = await pay('operator', '--as', 'anna', 'keys', 'activate', partnerID, String(keyId));
    expect(own.exitCode).toBe(1);
    expect(own.stderr).toContain('403 FORBIDDEN');
    expect(await json('operator', '--as', 'oleg', 'keys', 'activate', partnerID, String(keyId))).toMatchObject({
      status: 'ACTIVE',
    });
  });

  it('operator: sees the event of a payment and its delivery, and sends it again', async () => {
    const { items } = (await json('operator', 'events', 'list', '--type', 'payment.completed', '--limit', '1')) as {
      items: { eventId: string }[];
    };
    const eventId = items[0]?.eventId ?? '';
    expect(await json('operator', 'events', 'get', eventId)).toMatchObject({ eventId, type: 'payment.completed' });
    expect(await json('operator', '--as', 'anna', 'events', 'resend', eventId)).toMatchObject({ eventId });
    const partners = (await json('operator', 'receivers', 'list')) as { items: unknown[] };
    expect(partners.items.length).toBeGreaterThan(0);
  });

  it('operator: what the console does is done here too: a refund, staff, dead letters, the overview', async () => {
    const operator = (...args: readonly string[]) => json('operator', '--as', 'anna', ...args);
    const { id } = await json('card', 'create', '--amount', '30');
    await json('card', 'pay', String(id));
    const { aggregateVersion } = await operator('payments', 'get', String(id));
    const seen = ['--seen-version', String(aggregateVersion), '--reason', 'as agreed'];
    expect(await operator('payments', 'refund', String(id), ...seen, '--amount', '1.00')).toMatchObject({
      orderId: id,
      amount: '1.00',
    });
    const stale = await pay('operator', 'payments', 'refund', String(id), ...seen);
    expect([stale.exitCode, stale.stderr]).toEqual([1, expect.stringContaining('STALE_REVISION')]);

    expect(await operator('accounts', 'list')).toHaveProperty('items');
    expect(await operator('accounts', 'changes')).toHaveProperty('items');
    expect(await operator('dead-letters', 'redrive-all', 'bindings', '--dry-run')).toMatchObject({ total: 0 });
    expect(await operator('overview', 'get', 'payments')).toHaveProperty('buckets');
  });

  it('sandbox: sets and clears a fault of the bank', async () => {
    expect(await json('sandbox', 'faults', '--kind', 'error', '--route', 'refund', '--status', '500')).toMatchObject({
      faults: [{ route: 'refund', kind: 'error', status: 500 }],
    });
    expect(await json('sandbox', 'faults', '--clear')).toMatchObject({ faults: [] });
    expect(await json('sandbox', 'clock')).toMatchObject({ offsetMilliseconds: 0 });
    expect(await json('sandbox', 'clock', 'advance', 'PT1M')).toMatchObject({ offsetMilliseconds: 60_000 });
    expect(await json('sandbox', 'clock', 'reset')).toMatchObject({ offsetMilliseconds: 0 });
  });
});
