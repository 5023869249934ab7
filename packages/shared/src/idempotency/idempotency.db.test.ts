import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gate, openMechanisms, uniqueName, type Mechanisms } from '../../test/mechanisms.ts';
import { inTransaction } from '../postgres/transaction.ts';
import { ApiError } from '../errors/api-error.ts';
import { once, type IdempotentRequest, type Outcome } from './idempotency.ts';

let t: Mechanisms;
beforeAll(async () => {
  t = await openMechanisms();
});
afterAll(() => t.close());

const HASH = 'a'.repeat(64);
const request = (change: Partial<IdempotentRequest> = {}): IdempotentRequest => ({
  partnerId: 'partner-a',
  key: `key-${uniqueName()}-${uniqueName()}`,
  operation: 'POST /api/card',
  bodySha256: HASH,
  ...change,
});

/** Runs a command that records its name; `during` is awaited inside its transaction. */
const command = (given: IdempotentRequest, name: string, during?: () => Promise<unknown>): Promise<Outcome> =>
  inTransaction(t.database.db, (tx) =>
    once(tx, given, { objectId: name, status: 201 }, async () => {
      await t.recordEffect(tx, name);
      await during?.();
    }),
  );

/** A command that has its key and stays in its transaction until it is released. */
async function running(given: IdempotentRequest, name: string) {
  const begun = gate();
  const held = gate();
  const outcome = command(given, name, () => {
    begun.resolve(undefined);
    return held.promise;
  });
  await begun.promise;
  return { outcome, finish: held.resolve, fail: held.reject };
}

const effectsCalled = async (name: string) => (await t.effectNames()).filter((effect) => effect === name).length;
const codeOf = (error: unknown) => (error instanceof ApiError ? error.code : error);

describe('once', () => {
  it('runs a command once and gives a repeat the object of the first call', async () => {
    const given = request();
    expect(await command(given, 'first')).toEqual({ objectId: 'first', status: 201, replayed: false });
    expect(await command(given, 'repeat')).toEqual({ objectId: 'first', status: 201, replayed: true });
    expect(await effectsCalled('repeat')).toBe(0);
  });

  it.each([
    ['another body', { bodySha256: 'b'.repeat(64) }],
    ['another operation', { operation: 'POST /api/qr' }],
  ])('409 IDEMPOTENCY_KEY_REUSED: the same key with %s', async (_name, change) => {
    const given = request();
    await command(given, 'original');
    const refused = await command({ ...given, ...change }, 'reuse').catch(codeOf);
    expect(refused).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(await effectsCalled('reuse')).toBe(0);
  });

  it('keeps the keys of two partners apart', async () => {
    const given = request();
    await command(given, 'of-a');
    expect(await command({ ...given, partnerId: 'partner-b' }, 'of-b')).toMatchObject({
      objectId: 'of-b',
      replayed: false,
    });
  });

  it('leaves the key free, and no trace, after a refusal', async () => {
    const given = request();
    const refusal = new ApiError('INSUFFICIENT_BALANCE');
    const refused = inTransaction(t.database.db, (tx) =>
      once(tx, given, { objectId: 'refused', status: 201 }, async () => {
        await t.recordEffect(tx, 'refused');
        throw refusal;
      }),
    );
    await expect(refused).rejects.toBe(refusal);
    expect(await effectsCalled('refused')).toBe(0);
    expect(await command(given, 'corrected')).toMatchObject({ objectId: 'corrected', replayed: false });
  });

  it('lets a repeat wait for the first call, then gives it the same object', async () => {
    const given = request();
    const first = await running(given, 'slow');
    const second = command(given, 'impatient');
    await t.untilBlocked();
    first.finish(undefined);
    expect(await first.outcome).toMatchObject({ objectId: 'slow', replayed: false });
    expect(await second).toMatchObject({ objectId: 'slow', replayed: true });
    expect(await effectsCalled('impatient')).toBe(0);
  });

  it('lets a waiting repeat run when the first call rolled back', async () => {
    const given = request();
    const first = await running(given, 'failing');
    const second = command(given, 'successor');
    await t.untilBlocked();
    first.fail(new Error('the first call failed'));
    await expect(first.outcome).rejects.toThrow('the first call failed');
    expect(await second).toMatchObject({ objectId: 'successor', replayed: false });
    expect(await effectsCalled('failing')).toBe(0);
  });

  it('409 IDEMPOTENCY_KEY_IN_PROGRESS with Retry-After: the first call runs for more than two seconds', async () => {
    const given = request();
    const first = await running(given, 'very-slow');
    await expect(command(given, 'gives-up')).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_IN_PROGRESS',
      retryAfterSeconds: 1,
    });
    first.finish(undefined);
    expect(await first.outcome).toMatchObject({ objectId: 'very-slow' });
    expect(await command(given, 'later')).toMatchObject({ objectId: 'very-slow', replayed: true });
  });

  it('has one effect for nine calls at once', async () => {
    const given = request();
    const first = await running(given, 'many');
    const repeats = Array.from({ length: 8 }, () => command(given, 'many'));
    await t.untilBlocked(8);
    first.finish(undefined);
    const outcomes = await Promise.all([first.outcome, ...repeats]);
    expect(outcomes.filter((outcome) => !outcome.replayed)).toHaveLength(1);
    expect(await effectsCalled('many')).toBe(1);
  });
});
