import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { CARDS, openWorld, until, type World } from './world.ts';

/**
 * Promise 1 of the design: kill any process at any time, restart the broker or the database; afterwards every ledger
 * sums to zero, every accepted command has exactly one outcome, every event is delivered. The outside world decides the
 * moment: a bank that holds its answer, a receiver that holds its own, a broker that is down.
 */
describe('a process dies at the worst instant', () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterEach(async () => {
    await world.bank.clearFaults();
    world.receiver.onArrival = () => 200;
  });
  afterAll(async () => {
    await world.bank.resetClock();
    await world.close();
  });

  /**
   * What a dead process had leased is free at once, instead of after the 20 or 30 seconds that nobody needs to see. The
   * notifier's leases are not by the TEST clock.
   */
  const endLeases = async () => {
    await world.bank.advanceClock('PT1M');
    await world.query('update notifier.aggregates set leased_until = clock_timestamp() where leased_until is not null');
  };

  /** Nothing is half done: each of these tests ends with this. */
  async function expectWhole(id: string): Promise<void> {
    const [ledger] = await world.query<{ sum: string }>(
      'select coalesce(sum(amount_kopecks), 0)::text as sum from payments.ledger_entries',
    );
    expect(ledger?.sum).toBe('0');
    const booked = await world.query(`select from payments.ledger_transactions where reference_id = $1 and kind = 'PAYMENT'`, [id]);
    expect(booked).toHaveLength(1);
    const arrivals = world.receiver.arrivals.filter((one) => one.orderId === id);
    expect(new Set(arrivals.map((one) => one.bytes)).size).toBe(1);
    expect(arrivals.every((one) => one.signed && one.version === 1)).toBe(true);
  }

  it('payments, between the commit of a payment and the answer to the partner: the repeat returns the same id (E07)', async () => {
    const order = world.order();
    const idempotencyKey = `e2e-key-${order.orderID}`.slice(0, 64);
    await world.bank.fault({ route: 'register', kind: 'delay', delayMs: 5_000, times: 1 });
    const answer = world.client.createCardPayment(order, { idempotencyKey });
    const [row] = await until('the payment to be committed', async () => {
      const rows = await world.query<{ id: string }>('select payment_id as id from payments.payments where merchant_order_id = $1', [
        order.orderID,
      ]);
      return rows.length === 1 ? rows : undefined;
    });
    await world.system.kill('payments', 'SIGKILL');
    await world.system.restart('payments');
    await endLeases();
    // The client repeats automatically, with the same key: that is what the key is for.
    const payment = await answer;
    expect(payment.id).toBe(row?.id);
    const ready = await until('the repeat to find the form', async () => {
      const again = await world.client.createCardPayment(order, { idempotencyKey });
      return again.paymentUrl === undefined ? undefined : again;
    });
    expect(ready.id).toBe(payment.id);
    await world.pay(ready, CARDS.approved);
    expect((await world.ended(payment.id)).status).toBe('COMPLETED');
    await world.told(payment.id);
    await expectWhole(payment.id);
  });

  it('checkout, between the bank call and the commit: the money is found by reading back, charged once', async () => {
    const payment = await world.create();
    await world.bank.fault({ route: 'authorize', kind: 'delay_after', delayMs: 8_000, times: 1 });
    const form = world.pay(payment, CARDS.approved).catch(() => 'the connection died with the process');
    await until('the bank to take the money', async () => {
      const known = await world.bank.operation(payment.id).catch(() => undefined);
      return known?.operation.status === 'APPROVED' ? known : undefined;
    });
    await world.system.kill('checkout', 'SIGKILL');
    await form;
    await world.system.restart('checkout');
    await endLeases();
    expect((await world.ended(payment.id)).status).toBe('COMPLETED');
    await world.told(payment.id);
    await expectWhole(payment.id);
    expect(await world.bank.operation(payment.id)).toMatchObject({ counters: { moneyMoved: 1 } });
  });

  it('payments, between the commit and the publish: the event waits in the outbox and goes out after the restart', async () => {
    const payment = await world.create();
    // The relay cannot publish while the broker is down, so the row is certain to be waiting when the process dies.
    const broker = world.system.restartBroker();
    await world.pay(payment, CARDS.approved);
    await world.ended(payment.id);
    await world.system.kill('payments', 'SIGKILL');
    await broker;
    await world.system.restart('payments');
    await endLeases();
    await world.told(payment.id);
    await expectWhole(payment.id);
  });

  it('the notifier, between the POST and its record: the same event arrives again, with the same bytes (I21)', async () => {
    let arrived: () => void = () => undefined;
    const firstArrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const payment = await world.create();
    world.receiver.onArrival = (arrival) => {
      if (arrival.orderId !== payment.id) return 200;
      arrived();
      return new Promise(() => undefined); // Never answered: the notifier dies while it waits.
    };
    await world.pay(payment, CARDS.approved);
    await firstArrival;
    await world.system.kill('notifier', 'SIGKILL');
    world.receiver.onArrival = () => 200;
    await world.system.restart('notifier');
    await endLeases();
    await until('the second attempt', () =>
      world.receiver.arrivals.filter((one) => one.orderId === payment.id).length >= 2 ? true : undefined,
    );
    await expectWhole(payment.id);
  });

  it('payments before, while and after the broker, the database and every process restart: one outcome each, all told (J03 J09)', async () => {
    const life = async (number: string) => {
      const { id } = await world.create();
      // A bank that did not answer leaves a payment without an address, which a worker registers; a buyer whose page does not
      // load reloads it: the checkout is safe to open and submit again.
      await until(`the form of ${id} to take the card`, async () => {
        const payment = await world.client.readCardPayment(id).catch(() => undefined);
        if (payment === undefined || payment.status === 'CREATED') return undefined;
        if (payment.status !== 'SUBMITTED') return true;
        return world.pay(payment, number).then(
          () => true,
          () => undefined,
        );
      });
      return id;
    };
    let isRestarted = false;
    /** Buys again and again, until everything was restarted; every fifth time with a card that is declined. */
    const buyer = async () => {
      const bought: string[] = [];
      while (!isRestarted || bought.length < 10) bought.push(await life(bought.length % 5 === 4 ? CARDS.declined : CARDS.approved));
      return bought;
    };
    const buyers = Promise.all([buyer(), buyer()]);
    try {
      await world.system.restartBroker();
      await world.system.restart('notifier');
      await world.system.restartDatabase();
      await world.system.restart('payments');
      await world.system.restart('checkout');
      await world.system.restart('gateway');
      await endLeases();
    } finally {
      isRestarted = true;
    }
    const payments = (await buyers).flat();
    const ends: string[] = [];
    for (const id of payments) {
      const { status } = await world.ended(id);
      ends.push(status);
      // A card that died with the process that was about to send it is known to nobody.
      const { operation, counters } = await world.bank.operation(id);
      expect(status).toBe(({ APPROVED: 'COMPLETED', DECLINED: 'REJECTED' } as const)[operation.status] ?? 'FAILED');
      expect(counters.moneyMoved).toBe(status === 'COMPLETED' ? 1 : 0);
      const arrival = await world.told(id);
      expect(arrival).toMatchObject({
        type: status === 'COMPLETED' ? 'payment.completed' : 'payment.failed',
        version: 1,
        signed: true,
      });
      const bytes = world.receiver.arrivals.filter((one) => one.orderId === id).map((one) => one.bytes);
      expect(new Set(bytes).size).toBe(1);
    }
    const [ledger] = await world.query<{ sum: string; booked: number }>(
      `select (select sum(amount_kopecks)::text from payments.ledger_entries) as sum,
              (select count(*)::int from payments.ledger_transactions
               where kind = 'PAYMENT' and reference_id = any($1::uuid[])) as booked`,
      [payments],
    );
    const paid = ends.filter((status) => status === 'COMPLETED').length;
    expect(ledger).toEqual({ sum: '0', booked: paid });
    expect(paid).toBeGreaterThan(payments.length / 2);
  });
});
