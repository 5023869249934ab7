import { randomUUID } from 'node:crypto';
import { listen } from '../../packages/shared/src/http/server.ts';
import { internalTokenVerifier } from '../../packages/shared/src/internal-auth/internal-token.ts';
import { createLog } from '../../packages/shared/src/logging/logger.ts';
import { workOff } from '../../packages/shared/test/work-off.ts';
import { createPayments } from '../../services/bindings/src/payments/payments.ts';
import { onPaymentCompleted, onPaymentFailed } from '../../services/bindings/src/consumers/on-payment-ended.ts';
import { handOverLoop } from '../../services/bindings/src/use-cases/hand-over-charge.ts';
import { startTestApp as startBindings, type Answer, type TestApp as Bindings } from '../../services/bindings/test/app.ts';
import type { Acquirer } from '../../services/payments/src/acquirers/acquirer.ts';
import type { Fence } from '../../services/payments/src/domain/acquiring/fence.ts';
import { createBindings } from '../../services/payments/src/bindings/bindings.ts';
import { createPaymentsApp } from '../../services/payments/src/http/app.ts';
import { DEFAULT_PARTNER, startTestApp as startPayments, type TestApp as Payments } from '../../services/payments/test/app.ts';
import { startToxicProxy, type ToxicProxy } from '../testing/toxic-proxy.ts';

/** A charge as its partner sent it. */
export type SentCharge = {
  readonly merchantOrderId: string;
  /** Sends it, or repeats it with the same key. */
  readonly send: () => Promise<Answer>;
};

export type BothServices = {
  readonly bindings: Bindings;
  readonly payments: Payments;
  /** The way from bindings to each replica of payments. */
  readonly ways: readonly [ToxicProxy, ToxicProxy];
  /** The replicas of payments that have no way to the bank. */
  readonly withoutBank: Set<number>;
  /** A card that was saved at payments, and may be charged at bindings now. */
  givenBinding(): Promise<string>;
  charge(bindingId: string, change?: Readonly<Record<string, unknown>>): SentCharge;
  revoke(bindingId: string): Promise<Answer>;
  /**
   * The next question for a consent waits once it is answered. `asked` resolves with the replica of payments that asked.
   */
  holdConsent(): { readonly asked: Promise<number>; release(): void };
  /** Happens once, when the fence of a charge has said that it may leave, and before it does. */
  beforeItLeaves: (() => Promise<unknown>) | undefined;
  /** Bindings forgets what it knew of the replicas of payments. */
  restartBindings(): Promise<void>;
  /** Bindings drives on what waits, as often as it is due, and hears from payments how charges ended. */
  goOn(): Promise<void>;
  /** The charges that reached the bank, with the binding's money moved by each: none if it was declined. */
  chargesAtBank(paymentId: unknown): number;
  close(): Promise<void>;
};

/** Bindings and two replicas of payments, with real connections between them; the bank is played. */
export async function startBothServices(): Promise<BothServices> {
  const log = createLog('test', 'silent');
  const [bindings, payments] = [await startBindings(), await startPayments()];
  const { urls, tokenKey } = bindings;
  const withoutBank = new Set<number>();
  let held: { asked: (replica: number) => void; released: Promise<void> } | undefined;
  const { acquirerOf } = payments.deps;
  const clientOf = (replica: number) => {
    const client = createBindings({ urls, tokenKey, log });
    return {
      ...client,
      async read(partnerId: Parameters<typeof client.read>[0], bindingId: string) {
        const hold = held;
        held = undefined;
        const answer = await client.read(partnerId, bindingId);
        hold?.asked(replica);
        await hold?.released;
        return answer;
      },
    };
  };
  const delayed = (fence: Fence): Fence => ({
    async ask() {
      const answer = await fence.ask();
      const { beforeItLeaves } = both;
      both.beforeItLeaves = undefined;
      await beforeItLeaves?.();
      return answer;
    },
  });
  const depsOf = (replica: number) => ({
    acquirerOf(route: Parameters<typeof acquirerOf>[0]) {
      const acquirer = withoutBank.has(replica) ? undefined : acquirerOf(route);
      const charge: Acquirer['charge'] = (wanted, fence) => acquirerOf(route)?.charge(wanted, delayed(fence)) ?? NOT_SENT;
      return acquirer === undefined ? undefined : { ...acquirer, takesOrders: true, isAvailable: true, charge };
    },
    bindings: clientOf(replica),
  });
  const played = payments.deps.bindings;
  Object.assign(payments.deps, depsOf(0));
  const secondDeps = { ...payments.deps, ...depsOf(1) };
  const second = await listen(
    createPaymentsApp(secondDeps, internalTokenVerifier('payments', payments.tokenKey), new Map()),
    '127.0.0.1',
    0,
  );
  const wayTo = (port: number) => startToxicProxy(() => ({ host: '127.0.0.1', port }));
  const ways = [await wayTo(Number(new URL(payments.url).port)), await wayTo(second.port)] as const;
  const clientToPayments = () =>
    createPayments({
      urls: ways.map(({ port }) => `http://127.0.0.1:${String(port)}`),
      tokenKey: payments.tokenKey,
      log,
    });
  let toPayments = clientToPayments();
  Object.assign(bindings.deps, { payments: toPayments });

  /** What payments publishes, as the broker would. */
  async function carry(): Promise<void> {
    const rows = await payments.rows('delete from outbox returning message_id, type, aggregate_id, payload, occurred_at, position');
    for (const row of rows.sort((a, b) => Number(a['position']) - Number(b['position']))) {
      const type = String(row['type']);
      const handle = { 'payment.completed': onPaymentCompleted, 'payment.failed': onPaymentFailed }[type];
      await handle?.(bindings.deps)({
        messageId: String(row['message_id']),
        type,
        aggregateId: String(row['aggregate_id']),
        occurredAt: String(row['occurred_at']),
        body: row['payload'],
      });
    }
  }

  const both: BothServices = {
    bindings,
    payments,
    ways,
    withoutBank,
    async givenBinding() {
      const { bindingId } = await payments.givenSavedCard();
      await carry();
      await bindings.rows(`update bindings set last_charged_at = '2020-01-01', next_charge_at = '2020-02-01' where binding_id = $1`, [
        bindingId,
      ]);
      return bindingId;
    },
    charge(bindingId, change = {}) {
      const [key, merchantOrderId] = [randomUUID(), `order-${randomUUID()}`];
      const body = { merchantOrderId, ...change };
      return {
        merchantOrderId: body.merchantOrderId,
        send: () => bindings.charge(bindingId, { key, partner: DEFAULT_PARTNER }, body),
      };
    },
    revoke: (bindingId) => bindings.call('POST', `/v1/bindings/${bindingId}/revoke`, { partner: DEFAULT_PARTNER, body: {} }),
    holdConsent() {
      const [asked, released] = [Promise.withResolvers<number>(), Promise.withResolvers<undefined>()];
      held = { asked: asked.resolve, released: released.promise };
      return {
        asked: asked.promise,
        release: () => {
          released.resolve(undefined);
        },
      };
    },
    beforeItLeaves: undefined,
    async restartBindings() {
      const before = toPayments;
      toPayments = clientToPayments();
      Object.assign(bindings.deps, { payments: toPayments });
      await before.close();
    },
    async goOn() {
      await bindings.rows(`update charges set leased_until = 'epoch' where status = 'CREATED'`);
      await workOff(handOverLoop(bindings.deps));
      await payments.moveClock('1 minute');
      await payments.work();
      await carry();
    },
    chargesAtBank: (paymentId) =>
      payments.bank.calls.filter(({ call, operationId }) => call === 'charge' && operationId === paymentId).length,
    async close() {
      await toPayments.close();
      await Promise.all([payments.deps.bindings.close(), secondDeps.bindings.close()]);
      Object.assign(payments.deps, { bindings: played });
      await second.drain(0);
      await Promise.all(ways.map((way) => way.close()));
      await Promise.all([bindings.close(), payments.close()]);
    },
  };
  return both;
}

const NOT_SENT = Promise.resolve({ kind: 'not-sent' } as const);
