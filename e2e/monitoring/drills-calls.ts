import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { createServer } from 'node:http';
import { heapOptions } from '../../tools/infrastructure/heap.ts';
import { ROOT } from '../../tools/infrastructure/folders.ts';
import { freePorts } from '../../tools/infrastructure/ports.ts';
import { withClient } from '../../tools/infrastructure/provision.ts';
import { payAtCheckout } from '../../tools/system/buyer.ts';
import { environmentOf } from '../../tools/system/environment.ts';
import { loopbackLayout } from '../../tools/system/layout.ts';
import { CANARY_CVV, CARDS } from '../world.ts';
import { startTraffic } from '../faults/traffic.ts';
import type { Drill } from './drill.ts';
import { again, untilEnded, type DrillSystem } from './drill-system.ts';

const ORDERS_PER_SECOND = 2;
const CALLERS = 25;
const card = (number: string) => ({ number, expiry: '12/34', cvv: CANARY_CVV });

/** Buyers who pay while the fault lasts. */
async function whilePaying({ world }: DrillSystem, work: () => Promise<void>): Promise<void> {
  const traffic = startTraffic(world, ORDERS_PER_SECOND);
  try {
    await work();
  } finally {
    await traffic.end();
  }
}

/** A table that another session keeps locked: a migration that went wrong, or somebody who forgot to commit. */
async function lockPayments({ world }: DrillSystem, fired: AbortSignal): Promise<void> {
  const { paymentUrl = '', id } = await world.create();
  const callers = (call: () => Promise<unknown>) => Array.from({ length: CALLERS }, () => again(100, fired, call));
  await withClient(world.system.state().databaseAdminUrl, async (client) => {
    await client.query('begin');
    await client.query('lock table payments.payments in access exclusive mode');
    await Promise.all([...callers(() => fetch(paymentUrl)), ...callers(() => world.client.readCardPayment(id, { signal: fired }))]);
    await client.query('rollback');
  });
}

/** A second process of withdrawals whose log is on a full disk. */
async function fillDisk({ world, prometheus, targets }: DrillSystem, fired: AbortSignal): Promise<void> {
  const { api, metrics } = await freePorts(['api', 'metrics']);
  const state = world.system.state();
  const own = { PORT: String(api), PRIVATE_PORT: String(metrics) };
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [...heapOptions('withdrawals'), 'services/withdrawals/src/main.ts'], {
    cwd: ROOT,
    env: { ...environmentOf(state, loopbackLayout(state), 'withdrawals', 1), ...own },
    stdio: ['ignore', full, 'ignore'],
  });
  const closed = once(child, 'close');
  // Each request is a line.
  const asking = again(100, fired, async () => {
    await fetch(`http://127.0.0.1:${String(api)}/nowhere`);
    prometheus.scrape([...targets, { job: 'withdrawals', address: `127.0.0.1:${String(metrics)}` }]);
  });
  await asking;
  prometheus.scrape(targets);
  child.kill('SIGTERM');
  await closed;
}

/** Card testing, at a checkout whose public address leads to somebody else's page. */
async function testCards({ world }: DrillSystem, fired: AbortSignal): Promise<void> {
  const stranger = createServer((_req, res) => {
    res.setHeader('Content-Type', 'text/html').end('<html><script>alert(1)</script></html>');
  }).listen(0, '127.0.0.1');
  await once(stranger, 'listening');
  const address = stranger.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const env = { UNPAID_CARDS_PER_ADDRESS: '1', PAGE_CHECK_URL: `http://127.0.0.1:${String(port)}` };
  await world.system.restart('checkout', 1, env);
  const [first, second] = [await world.create(), await world.create()];
  await payAtCheckout(first.paymentUrl ?? '', card(CARDS.declined)).catch(() => undefined);
  await again(50, fired, () => payAtCheckout(second.paymentUrl ?? '', card(CARDS.declined)));
  stranger.closeAllConnections();
  stranger.close();
  await world.system.restart('checkout', 1, { UNPAID_CARDS_PER_ADDRESS: '100000' });
}

export const CALL_DRILLS: readonly Drill[] = [
  {
    fault: 'withdrawals is killed',
    raises: ['ServiceDown page'],
    async make({ world }, fired) {
      await world.system.kill('withdrawals', 'SIGKILL');
      await untilEnded(fired);
      await world.system.restart('withdrawals');
    },
  },
  {
    fault: 'the log of a process is on a full disk',
    raises: ['LogLinesDropped ticket'],
    make: fillDisk,
  },
  {
    fault: 'another session locks the table of payments, while partners and buyers call',
    raises: [
      'DatabaseConnectionsExhausted page',
      'ApiErrorBudgetBurn page',
      'ApiErrorBudgetBurn ticket',
      'CheckoutErrorBudgetBurn page',
      'CheckoutErrorBudgetBurn ticket',
      'LoopFailing ticket',
    ],
    make: lockPayments,
  },
  {
    fault: 'the bank registers each order 1.5 s late',
    raises: ['ApiLatencyBudgetBurn page', 'ApiLatencyBudgetBurn ticket'],
    make: (system, fired) =>
      whilePaying(system, async () => {
        await system.world.bank.fault({ route: 'register', kind: 'delay', delayMs: 1_500, times: 1_000 });
        await untilEnded(fired);
        await system.world.bank.clearFaults();
      }),
  },
  {
    fault: 'the bank answers 500 to everything',
    raises: ['CircuitOpen page'],
    make: (system, fired) =>
      whilePaying(system, async () => {
        await system.world.bank.fault({ route: 'all', kind: 'outage', status: 500 });
        await untilEnded(fired);
        await system.world.bank.clearFaults();
      }),
  },
  {
    fault: 'the bank answers 500 to a card every other second, and has not seen it',
    raises: ['BankOutcomesUnknown page', 'PaymentsFail page'],
    make: (system, fired) =>
      whilePaying(system, async () => {
        const { bank } = system.world;
        await again(2_000, fired, () => bank.fault({ route: 'authorize', kind: 'error', status: 500, times: 1 }));
        await bank.clearFaults();
      }),
  },
  {
    fault: 'a program without a key calls the API, ten times a second',
    raises: ['RequestsNotAuthenticated ticket'],
    make: ({ world }, fired) => again(100, fired, () => fetch(`${world.system.addresses.baseUrl}/api/card?orderID=x`)),
  },
  {
    fault: 'browsers report a script that the policy blocked, ten at a time',
    raises: ['CspReports ticket'],
    make: ({ world }, fired) =>
      again(500, fired, () =>
        fetch(`${world.system.addresses.checkoutUrl}/csp-reports`, {
          method: 'POST',
          headers: { 'content-type': 'application/reports+json' },
          body: JSON.stringify(
            Array.from({ length: 10 }, () => ({
              type: 'csp-violation',
              body: { effectiveDirective: 'script-src', blockedURL: 'https://stranger.example/' },
            })),
          ),
        }),
      ),
  },
  {
    fault: 'one address tries card after card; the public address of the checkout shows another page',
    raises: ['CardTesting ticket', 'CheckoutPageDiffers page'],
    make: testCards,
  },
  {
    fault: 'nobody listens at the public address of the checkout',
    raises: ['CheckoutPageUnreachable page'],
    async make({ world }, fired) {
      const { PAGE_CHECK_URL: _fault, ...kept } = world.system.state().env.checkout ?? {};
      await world.system.restart('checkout', 1, { PAGE_CHECK_URL: 'http://127.0.0.1:9' });
      await untilEnded(fired);
      await world.system.restart('checkout', 1, { ...kept, PAGE_CHECK_URL: world.system.addresses.checkoutUrl });
    },
  },
];
