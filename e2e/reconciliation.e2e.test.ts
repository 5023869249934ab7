import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runHere } from '../packages/cli/test/run-cli.ts';
import { CARDS, openWorld, until, type World } from './world.ts';

/** Reconciliation of a running system with its bank: every day automatically, and when an operator asks. */
describe('reconciliation and the books, in the running system', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  const operator = async (...args: readonly string[]): Promise<Record<string, unknown>> => {
    const profile = join(world.system.folder, 'demo.json');
    const { stdout, stderr, exitCode } = await runHere(['--profile', profile, 'operator', ...args, '--json']);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    return JSON.parse(stdout) as Record<string, unknown>;
  };
  const changeAtBank = (id: string, kopecks: number) =>
    world.query('update sandbox_bank.operations set amount_kopecks = amount_kopecks + $2 where operation_id = $1', [id, kopecks]);

  it('a difference is found on demand, becomes an exception, is resolved, and changes nothing of ours', async () => {
    const payment = await world.create('12.34');
    const { id } = payment;
    await world.pay(payment, CARDS.approved);
    const { createdAt } = await world.ended(id);
    const reconcile = () => operator('reconciliations', 'create', '--date', createdAt.slice(0, 10));
    const itemOf = (answer: Record<string, unknown>) =>
      (answer['items'] as { operationId: string; result: string }[]).find(({ operationId }) => operationId === id);
    const differences = async () => {
      // Files before this one move the clock: the day may be over, and its daily comparison under way.
      await until('a comparison on demand', async () => {
        const { status, requestedBy } = await reconcile();
        return status === 'COMPLETED' && requestedBy === 'anna@example.com' ? true : undefined;
      });
      return itemOf(await operator('reconciliations', 'get', 'sandbox-bank', createdAt.slice(0, 10)));
    };

    expect(await differences()).toBeUndefined();
    await changeAtBank(id, 1);
    expect(await differences()).toMatchObject({ result: 'DIFFERENT_AMOUNT', bank: { amount: '12.35' }, ours: { amount: '12.34' } });
    const { items } = (await operator('exceptions', 'list', '--kind', 'AMOUNT_MISMATCH', '--status', 'OPEN')) as {
      items: { exceptionId: string; paymentId: string }[];
    };
    const found = items.find(({ paymentId }) => paymentId === id);
    expect(await operator('exceptions', 'settle', found?.exceptionId ?? '', '--note', 'The bank put it right')).toMatchObject({
      status: 'RESOLVED',
    });
    expect(await world.client.readCardPayment(id)).toMatchObject({ status: 'COMPLETED', amount: '12.34' });

    await changeAtBank(id, -1);
    expect(await differences()).toBeUndefined();
  });

  it('every day that has ended is compared without anybody asking', async () => {
    // As if the route had existed for some days: then yesterday is due, and the process's loop finds that.
    const age = (days: number) => world.query('update payments.routes set created_at = created_at - make_interval(days => $1)', [days]);
    await age(3);
    try {
      const run = await until('a comparison by the loop', async () => {
        const runs = await world.query<{ status: string }>(
          `select status from payments.reconciliations where requested_by = 'daily' and status = 'COMPLETED'`,
        );
        return runs[0];
      });
      expect(run.status).toBe('COMPLETED');
    } finally {
      await age(-3);
    }
  });

  it('the books sum to zero, running totals agree, and a partner’s statement ends at its balance', async () => {
    const trial = await operator('ledger', 'trial-balance');
    expect(trial).toMatchObject({ total: '0.00', differences: [] });
    const { partnerID } = world.partner;
    const period = ['--from', '2020-01-01T00:00:00Z', '--to', '2100-01-01T00:00:00Z'] as const;
    const statement = await operator('ledger', 'statement', partnerID, ...period);
    const payable = (trial['items'] as { account: string; owner: string; balance: string }[]).find(
      ({ account, owner }) => account === 'PARTNER_PAYABLE' && owner === partnerID,
    );
    // Debits are positive in the books; a statement shows what we owe.
    expect(`-${String(statement['closing'])}`).toBe(payable?.balance);
  });
});
