import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Acquirer } from '../src/acquirers/acquirer.ts';
import type { AcquirerResult, RefundResult } from '../src/domain/acquiring/acquirer-result.ts';
import type { Fence } from '../src/domain/acquiring/fence.ts';
import { startGateProxy, type GateProxy } from './gate-proxy.ts';
import { fenceAsking } from '../src/db/payment/leases.ts';
import { standStill } from './stand-still.ts';
import { HELD, leftNow, refundOf } from './unfenced.ts';

/** A bank, as the suite of what happens on the way there needs it. */
export type BankUnderTest = {
  readonly url: string;
  /** A card that it approves. */
  readonly card: string;
  /** A connector to it at this address; `deadlineMs` of one operation. */
  acquirerTo(url: string, deadlineMs: number): Acquirer & { close(): Promise<void> };
  close(): Promise<void>;
};

const DEADLINE_MS = 500;
/** More than any operation of a connector takes. */
const CALLS_MAX = 6;

/**
 * What every connector promises when the road to its bank is slow, or its process stands still: a lease that is lost moves no
 * money any more, and one deadline spans the whole operation. Two acquirers play two replicas; the lost lease plays the
 * 20 s that one of them is frozen.
 */
export function acquirerFenceContract(name: string, start: () => Promise<BankUnderTest>): void {
  describe(`the road to the bank: ${name}`, () => {
    let bank: BankUnderTest;
    let proxy: GateProxy;
    let first: Acquirer & { close(): Promise<void> };
    let second: Acquirer & { close(): Promise<void> };
    beforeAll(async () => {
      bank = await start();
      proxy = await startGateProxy(bank.url);
      first = bank.acquirerTo(proxy.url, 30_000);
      second = bank.acquirerTo(bank.url, 30_000);
    });
    afterAll(async () => {
      await Promise.all([first.close(), second.close()]);
      await proxy.close();
      await bank.close();
    });

    const order = (operationId: string) => ({
      operationId,
      amountKopecks: 1_050n,
      description: 'Coffee',
      expiresAt: new Date('2099-12-31T00:00:00.000Z'),
      returnUrl: 'https://form.example/pay/x/return',
    });
    const authorization = (operationId: string, saveCard = false) => ({
      operationId,
      card: { number: bank.card, expiryMonth: 12, expiryYear: 2099, cvv: '123' },
      saveCard,
      whenNotAuthenticated: 'ACCEPT' as const,
      returnUrl: 'https://form.example/pay/x/return',
    });
    /** With what a bank leaves out where there is nothing to tell. */
    const stateOf = async (operationId: string) => ({
      alsoTaken: undefined,
      isOpenBesides: undefined,
      ...(await second.read(operationId)),
    });
    async function registered(operationId: string): Promise<void> {
      await second.register(order(operationId), HELD);
    }
    async function paid(operationId: string): Promise<void> {
      await registered(operationId);
      await second.authorize(authorization(operationId), HELD);
    }
    async function cardToken(): Promise<string> {
      const operationId = randomUUID();
      await second.register({ ...order(operationId), savesCard: true }, HELD);
      const result = await second.authorize(authorization(operationId, true), HELD);
      return String(result.kind === 'confirmed' ? result.card.token : null);
    }

    type Operation = {
      readonly name: string;
      /** What has to be there before, and the operation on it. */
      prepare(operationId: string): Promise<(acquirer: Acquirer, fence: Fence) => Promise<AcquirerResult | RefundResult>>;
      /** What the bank has when it was carried out once. */
      readonly once: object;
    };
    const money = { kind: 'confirmed', amountKopecks: 1_050n, alsoTaken: undefined, isOpenBesides: undefined };
    const operations: readonly Operation[] = [
      {
        name: 'register',
        prepare: (id) => Promise.resolve((acquirer, fence) => acquirer.register(order(id), fence)),
        once: { kind: 'registered' },
      },
      {
        name: 'createQr',
        prepare: (id) => Promise.resolve((acquirer, fence) => acquirer.createQr(order(id), fence)),
        once: { kind: 'registered' },
      },
      {
        name: 'authorize',
        async prepare(id) {
          await registered(id);
          return (acquirer, fence) => acquirer.authorize(authorization(id), fence);
        },
        once: money,
      },
      {
        name: 'charge',
        async prepare(id) {
          const charge = { operationId: id, amountKopecks: 1_050n, description: 'Month', cardToken: await cardToken() };
          return (acquirer, fence) => acquirer.charge(charge, fence);
        },
        once: money,
      },
      {
        name: 'cancel',
        async prepare(id) {
          await registered(id);
          return (acquirer, fence) => acquirer.cancel(id, fence);
        },
        once: { kind: 'cancelled' },
      },
      {
        name: 'refund',
        async prepare(id) {
          await paid(id);
          const refund = refundOf({ operationId: randomUUID(), originalOperationId: id, amountKopecks: 50n });
          return (acquirer, fence) => acquirer.refund(refund, fence);
        },
        once: money,
      },
    ];

    it.each(operations)(
      'S1: $name, frozen behind each of its calls while the other replica takes over: carried out once',
      async (operation) => {
        const { once } = operation;
        for (let call = 1; call <= CALLS_MAX; call += 1) {
          const operationId = randomUUID();
          const run = await operation.prepare(operationId);
          let isOurs = true;
          const fence: Fence = { ask: () => Promise.resolve(leftNow(isOurs ? 20_000 : 0)) };
          const held = proxy.hold(call);
          const running = run(first, fence);
          const isHeld = await Promise.race([held.arrived.then(() => true), running.then(() => false)]);
          isOurs = false;
          if (isHeld) await run(second, HELD);
          held.open();
          await running;
          expect(await stateOf(operationId)).toMatchObject(once);
          const again = { operationId: randomUUID(), originalOperationId: operationId };
          // Of a refund: that no more than its 50 went back.
          const rest = await second.refund(refundOf({ ...again, amountKopecks: 1_000n }), HELD);
          expect(once === money ? rest.kind : 'confirmed').toBe('confirmed');
          // It is over before this call: every one of its calls was held once.
          if (!isHeld) return;
        }
        throw new Error('the operation takes more calls than were looked at');
      },
    );

    it.each(operations)(
      'S1: $name, each answer late just under the deadline: it ends in time, and the repeat carries it out once',
      async (operation) => {
        const { once } = operation;
        const operationId = randomUUID();
        const run = await operation.prepare(operationId);
        const slow = bank.acquirerTo(proxy.url, DEADLINE_MS);
        proxy.delay(DEADLINE_MS * 0.9);
        const before = proxy.callCount;
        const result = await run(slow, HELD);
        proxy.delay(0);
        // A second call finds a tenth of the time left: one that asks is cut off, one that moves money is not begun.
        expect(proxy.callCount - before).toBeLessThanOrEqual(2);
        expect(['registered', 'confirmed', 'cancelled', 'unknown', 'not-sent']).toContain(result.kind);
        await run(second, HELD);
        expect(await stateOf(operationId)).toMatchObject(once);
        await slow.close();
      },
    );

    it.each(operations)(
      '$name: the answer of the fence is too old when the call could leave: not a byte leaves before it is asked again (N1)',
      async (operation) => {
        /** What becomes of an operation whose second question for its lease is answered so. */
        const play = async (leftMs: number) => {
          const operationId = randomUUID();
          const run = await operation.prepare(operationId);
          const arrived: number[] = [];
          const fence: Fence = {
            ask() {
              arrived.push(proxy.callCount);
              return Promise.resolve(arrived.length === 1 ? { leftMs: 20_000, ageMs: () => 251 } : leftNow(leftMs));
            },
          };
          const { kind } = await run(first, fence);
          return { kind, leftBetween: (arrived[1] ?? 0) - (arrived[0] ?? 0), state: await stateOf(operationId) };
        };
        expect(await play(0)).toMatchObject({ kind: 'fenced', leftBetween: 0 });
        expect(await play(20_000)).toMatchObject({ leftBetween: 0, state: operation.once });
      },
    );

    it('a process that stands still while it connects sends nothing on what the fence had said (N1)', async () => {
      const operationId = randomUUID();
      const unconnected = bank.acquirerTo(proxy.url, 30_000);
      const arrived: number[] = [];
      const fence = fenceAsking(() => {
        arrived.push(proxy.callCount);
        // Before the connection is there: that takes a tick of the event loop.
        if (arrived.length === 1) setImmediate(standStill);
        return Promise.resolve(arrived.length === 1 ? 20_000 : undefined);
      });
      expect(await unconnected.register(order(operationId), fence)).toEqual({ kind: 'fenced' });
      expect(arrived).toEqual([proxy.callCount, proxy.callCount]);
      await unconnected.close();
    });

    it('S1: answers in the wrong order: what the first replica asked before the other charged does not make it charge', async () => {
      const charge = {
        operationId: randomUUID(),
        amountKopecks: 1_050n,
        description: 'Month',
        cardToken: await cardToken(),
      };
      let isOurs = true;
      const held = proxy.hold(1);
      const running = first.charge(charge, { ask: () => Promise.resolve(leftNow(isOurs ? 20_000 : 0)) });
      await held.arrived;
      isOurs = false;
      const results = await Promise.all([second.charge(charge, HELD), second.read(charge.operationId)]);
      held.open();
      await running;
      expect(results[0]).toMatchObject({ kind: 'confirmed' });
      expect(await stateOf(charge.operationId)).toMatchObject(money);
    });
  });
}
