import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog } from '@pay/shared/logging/logger.ts';
import { stopwatch } from '@pay/shared/time/wall-clock.ts';
import { failure, gate, refusal, silence, startTestBank, type Interruption, type TestBank } from '../../../test/bank.ts';
import { acquirerContract } from '../../../test/acquirer-contract.ts';
import { acquirerFenceContract } from '../../../test/acquirer-fence-contract.ts';
import { leftNow, refundOf, unfenced, type Unfenced } from '../../../test/unfenced.ts';
import { createSandboxBankAcquirer } from './sandbox-bank-acquirer.ts';

// The suite that every connector passes, against the bank that these tests play.
acquirerContract('the sandbox bank’s connector', async () => {
  const played = await startTestBank();
  const tested = createSandboxBankAcquirer({
    url: played.url,
    apiKey: played.apiKey,
    routeId: randomUUID(),
    log: createLog('test', 'silent'),
  });
  return {
    acquirer: tested,
    cards: {
      approved: '4111111111111111',
      declined: '4000000000009995',
      threeDs: '4000003800000446',
      notAuthenticated: '4000000000003113',
      method: '4000000000003220',
    },
    withdrawsDuringThreeDs: true,
    passThreeDs: (operationId) => {
      played.change(operationId, { status: 'APPROVED', transStatus: 'Y', eci: '05' });
      return Promise.resolve();
    },
    async close() {
      await tested.close();
      await played.close();
    },
  };
});

acquirerFenceContract('the sandbox bank’s connector', async () => {
  const played = await startTestBank();
  const { url, apiKey } = played;
  const log = createLog('test', 'silent');
  return {
    url,
    card: '4111111111111111',
    acquirerTo: (through, deadlineMs) => createSandboxBankAcquirer({ url: through, apiKey, routeId: randomUUID(), log, deadlineMs }),
    close: () => played.close(),
  };
});

let bank: TestBank;
let acquirer: Unfenced;
const acquirerTo = (url: string, apiKey = bank.apiKey, deadlineMs = 10_000) =>
  unfenced(createSandboxBankAcquirer({ url, apiKey, routeId: randomUUID(), log: createLog('test', 'silent'), deadlineMs }));

beforeAll(async () => {
  bank = await startTestBank();
  acquirer = acquirerTo(bank.url);
});
afterAll(async () => {
  await acquirer.close();
  await bank.close();
});

const order = (operationId: string) => ({
  operationId,
  amountKopecks: 100n,
  description: 'Tea',
  expiresAt: new Date('2099-01-01T00:00:00Z'),
  returnUrl: 'https://form.example/return',
});

/** As a proxy in front of a bank: an unasked 100 Continue, and that it goes on. */
const informed =
  (interruption: Interruption): Interruption =>
  (taken) => {
    taken.res.writeContinue();
    taken.res.writeProcessing();
    return interruption(taken);
  };

describe('what an answer, or none, means', () => {
  it.each<[string, Interruption, string]>([
    ['a reset connection', silence, 'unknown'],
    ['500', failure(500), 'unknown'],
    ['429', failure(429), 'unknown'],
    ['403', failure(403), 'unknown'],
    ['200 without an Operation', failure(200), 'unknown'],
    ['200 and no JSON', ({ res }) => void res.writeHead(200).end('<html>'), 'unknown'],
    [
      '200 with text that the database cannot keep (K1)',
      ({ res }) =>
        void res
          .writeHead(200)
          .end(
            `{"operationId":"${randomUUID()}","bankOperationId":"b\\u0000","kind":"ORDER","status":"REGISTERED","amountKopecks":"100","currency":"RUB"}`,
          ),
      'unknown',
    ],
    ['an answer without end', ({ res }) => void res.writeHead(200).end('x'.repeat(100_000)), 'unknown'],
    ['400 to a new order', refusal(400, 'BAD_REQUEST'), 'declined'],
    ['409 to a new order, as this id is of another one', refusal(409, 'OPERATION_MISMATCH'), 'unknown'],
    ['409 to a new order, of a code that we do not know', refusal(409, 'SOMETHING'), 'unknown'],
    ['400 behind informational responses (K3)', informed(refusal(400, 'BAD_REQUEST')), 'declined'],
  ])('%s', async (_title, interruption, kind) => {
    bank.interrupt('register', 'before', interruption);
    const result = await acquirerTo(bank.url).register(order(randomUUID()));
    bank.interrupt('register', 'before', undefined);
    expect(result.kind).toBe(kind);
  });

  it.each<[string, Interruption]>([
    ['no answer in time', gate().interruption],
    ['an answer that drips', ({ res }) => void res.writeHead(200).write('{')],
  ])('%s', async (_title, interruption) => {
    bank.interrupt('register', 'before', interruption);
    const result = await acquirerTo(bank.url, bank.apiKey, 300).register(order(randomUUID()));
    bank.interrupt('register', 'before', undefined);
    expect(result.kind).toBe('unknown');
  });

  it.each([
    [400, 'BAD_REQUEST'],
    [409, 'OPERATION_STATE'],
  ])('%s to a card says nothing: unknown', async (status, errorCode) => {
    const operationId = randomUUID();
    await acquirer.register(order(operationId));
    bank.interrupt('authorize', 'before', refusal(status, errorCode));
    const card = { number: '4111111111111111', expiryMonth: 1, expiryYear: 2099, cvv: '123' };
    const result = await acquirer.authorize({
      operationId,
      card,
      saveCard: false,
      returnUrl: 'https://form.example/x',
    });
    bank.interrupt('authorize', 'before', undefined);
    expect(result.kind).toBe('unknown');
  });

  it('a wrong key is unknown, not a decline', async () => {
    expect((await acquirerTo(bank.url, 'wrong').register(order(randomUUID()))).kind).toBe('unknown');
  });

  it('nobody listens: not-sent', async () => {
    const closed = await startTestBank();
    await closed.close();
    expect((await acquirerTo(closed.url).register(order(randomUUID()))).kind).toBe('not-sent');
  });

  it('the amount is the bank’s own word, whatever we asked for', async () => {
    const operationId = randomUUID();
    await acquirer.register(order(operationId));
    bank.change(operationId, { status: 'APPROVED', amountKopecks: '99', currency: 'USD' });
    expect(await acquirer.read(operationId)).toMatchObject({ kind: 'confirmed', amountKopecks: 99n, currency: 'USD' });
  });

  it('the bank is told who charges a saved card: MERCHANT, recurring', async () => {
    const operationId = randomUUID();
    await acquirer.charge({ operationId, amountKopecks: 5n, description: 'x', cardToken: 'token' });
    expect(bank.calls.at(-1)?.body).toMatchObject({ initiator: 'MERCHANT', recurring: true, amountKopecks: '5' });
  });

  it('the breaker opens after ten faults: nothing is sent, not-sent, isAvailable false', async () => {
    const flaky = acquirerTo(bank.url);
    bank.interrupt('read', 'before', silence);
    for (let call = 0; call < 10; call += 1) await flaky.read(randomUUID());
    bank.interrupt('read', 'before', undefined);
    const before = bank.calls.length;
    expect([flaky.isAvailable, (await flaky.read(randomUUID())).kind, bank.calls.length]).toEqual([false, 'not-sent', before]);
    await flaky.close();
  });

  it('declines and absent operations do not open it', async () => {
    const busy = acquirerTo(bank.url);
    for (let call = 0; call < 30; call += 1) await busy.read(randomUUID());
    expect(busy.isAvailable).toBe(true);
    await busy.close();
  });
});

describe('the fence', () => {
  const raw = () =>
    createSandboxBankAcquirer({
      url: bank.url,
      apiKey: bank.apiKey,
      routeId: randomUUID(),
      log: createLog('test', 'silent'),
    });

  it('a process that was frozen between the question for its lease and the call sends nothing (S1)', async () => {
    const operationId = randomUUID();
    // The lease had 20 ms left when it was asked about; the answer is looked at when they are over.
    const ageMs = stopwatch();
    const frozen = { ask: () => wait(50, { leftMs: 20, ageMs }) };
    expect(await raw().register(order(operationId), frozen)).toEqual({ kind: 'not-sent' });
    expect(bank.operations.has(operationId)).toBe(false);
  });

  it('a lost lease sends nothing, whatever the operation (S1)', async () => {
    const [operationId, lost] = [randomUUID(), { ask: () => Promise.resolve(leftNow(0)) }];
    const acquirerHere = raw();
    const before = bank.calls.length;
    const refund = refundOf({ operationId, originalOperationId: operationId, amountKopecks: 1n });
    const card = { number: '4111111111111111', expiryMonth: 12, expiryYear: 2099, cvv: '123' };
    for (const result of [
      acquirerHere.register(order(operationId), lost),
      acquirerHere.createQr(order(operationId), lost),
      acquirerHere.authorize(
        { operationId, card, saveCard: false, whenNotAuthenticated: 'ACCEPT', returnUrl: 'https://form.example/' },
        lost,
      ),
      acquirerHere.charge({ operationId, amountKopecks: 1n, description: 'Tea', cardToken: 'x' }, lost),
      acquirerHere.refund(refund, lost),
      acquirerHere.cancel(operationId, lost),
    ]) {
      expect(await result).toEqual({ kind: 'fenced' });
    }
    expect(bank.calls).toHaveLength(before);
  });
});
