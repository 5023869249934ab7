import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startCollector, type CollectedSpan, type Collector } from '../tools/testing/collector.ts';
import { CANARY_CVV_ALONE, CARDS, openWorld, until, type World } from './world.ts';

/** The programs of a card payment. */
const TRACED = ['gateway', 'payments', 'checkout', 'notifier'] as const;
const END_MS = 20_000;

let world: World;
let collector: Collector;
beforeAll(async () => {
  collector = await startCollector();
  world = await openWorld(undefined, (receiverUrl) => `${receiverUrl}?token=query-canary`);
  for (const program of TRACED) await world.system.restart(program, 1, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
});
afterAll(async () => {
  await world.bank.resetClock();
  await world.close();
  await collector.close();
});

/** Ends a program in order: its last spans are sent. */
async function end(program: (typeof TRACED)[number]): Promise<void> {
  await world.system.kill(program, 'SIGTERM');
  await world.system.waitUntilEnded(program, END_MS);
}

/** The names of a span and of its parents, outermost first. */
function pathTo(span: CollectedSpan | undefined): string[] {
  if (span === undefined) return [];
  const parent = collector.spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [...pathTo(parent), `${span.service}: ${span.name}`];
}

it('one payment is one trace, from the partner’s call to a callback that a restarted notifier delivers', async () => {
  const refusedOnce = Promise.withResolvers<undefined>();
  world.receiver.onArrival = () => {
    refusedOnce.resolve(undefined);
    return 503;
  };
  const payment = await world.create();
  await world.pay(payment, CARDS.approved);
  await refusedOnce.promise;
  world.receiver.onArrival = () => 200;
  await end('notifier');
  await world.system.restart('notifier');
  await world.bank.advanceClock('PT1H');
  await until('the second attempt', () =>
    world.receiver.arrivals.filter(({ orderId }) => orderId === payment.id).length === 2 ? true : undefined,
  );
  // The bank does it and says nothing: the worker finds out.
  await world.bank.fault({ route: 'refund', kind: 'drop_after', times: 1 });
  const refund = await world.client.refundCardPayment(payment.id);
  expect(refund.status).toBe('PENDING');
  await world.bank.advanceClock('PT2M');
  await until('the callback of the refund', () =>
    world.receiver.arrivals.find(({ type, orderId }) => type === 'refund.completed' && orderId === payment.id),
  );
  for (const program of TRACED) {
    await end(program);
    await world.system.restart(program, 1, { OTEL_EXPORTER_OTLP_ENDPOINT: '' });
  }

  const root = collector.spans.find(({ service, name }) => service === 'gateway' && name === 'POST /api/card');
  const trace = collector.spans.filter(({ traceId }) => traceId === root?.traceId);
  const find = (service: string, name: string) => trace.filter((span) => span.service === service && span.name === name);
  const called = ['gateway: POST /api/card', 'payments: POST /api/card'];
  expect(find('payments', 'bank register').map(pathTo)).toEqual([[...called, 'payments: bank register']]);
  const sent = [...called, 'checkout: send card'];
  expect(find('checkout', 'bank authorize').map(pathTo)).toEqual([[...sent, 'checkout: bank authorize']]);
  // The buyer's own request is another trace: whoever has the address of the page makes them.
  const visit = collector.spans.find(({ service, name }) => service === 'checkout' && name === 'POST /pay/:token/card');
  expect(find('checkout', 'send card').map(({ links }) => links)).toEqual([[visit?.traceId]]);

  const attempts = find('notifier', 'callback payment.completed');
  const booked = [...sent, 'checkout: postgresql transaction', 'payments: publish payment.completed'];
  const delivered = [...booked, 'notifier: consume payment.completed', 'notifier: callback payment.completed'];
  expect(attempts.map(pathTo)).toEqual([delivered, delivered]);
  expect(attempts.map(({ attributes }) => attributes)).toEqual([
    { 'callback.attempt': 1, 'http.response.status_code': 503 },
    { 'callback.attempt': 2, 'http.response.status_code': 200 },
  ]);
  expect(new Set(attempts.map(({ instance }) => instance)).size).toBe(2);

  const refunded = find('notifier', 'callback refund.completed').map(pathTo);
  expect(refunded.map((path) => path.slice(0, 3))).toEqual([[...called, 'payments: read refund back']]);

  const told = collector.bodies.join('\n');
  const token = (payment.paymentUrl ?? '').split('/').at(-1) ?? '';
  const { privateKeyPem, publicKey } = world.partner;
  for (const secret of [CARDS.approved, token, payment.id, publicKey, privateKeyPem, 'query-canary', 'Bearer'])
    expect(told).not.toContain(secret);
  expect(told).not.toMatch(CANARY_CVV_ALONE);
});
