import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { readIdentity } from '../packages/sdk/src/sign.ts';
import { addresses, processUrls } from '../tools/system/environment.ts';
import { withRange, type Figure, type Report } from './figures.ts';
import { paced, type LoadResult } from './load.ts';
import { partnerOf } from './partner.ts';
import { resultTable } from './table.ts';
import { ROUNDS } from './rounds.ts';
import { withSystem, type World } from './world.ts';

const SECONDS = 10;
/**
 * The rate at which spec/findings#s2 was found: a tenth of the default rate, with a bank that takes eight seconds per
 * order.
 */
const SLOW_CREATES_PER_SECOND = 20;
const SLOW_MS = 8_000;
/** Not a multiple of the slow creates' rate: in step with them, these would always or never meet the start of one. */
const READS_PER_SECOND = 23;
const CREATES_PER_SECOND = 7;
/** The bank knows neither partners nor routes: the amount marks what is to be slow. */
const SLOW_RUB = 8.08;

/** One partner's bank takes 8 s: what another partner notices, whose creates use another route. */
export async function benchBulkheads(): Promise<Report> {
  const way = await startSlowWay();
  try {
    return await withSystem({ env: { payments: { SANDBOX_BANK_URL: way.url } } }, (world) => measure(world, way));
  } finally {
    way.close();
  }
}

async function measure({ state }: World, way: SlowWay): Promise<Report> {
  way.leadTo(addresses(state).bankUrl);
  await giveOwnRoute(state.databaseAdminUrl, state.partner.paymentPoints.card);
  const gatewayUrl = processUrls(state, 'gateway', 1).url;
  const other = partnerOf(gatewayUrl, readIdentity(state.other));
  // None of its calls waits on the client side.
  const partner = partnerOf(gatewayUrl, readIdentity(state.partner), 2 * SLOW_CREATES_PER_SECOND * (SLOW_MS / 1_000));
  const { card } = state.other.paymentPoints;
  const { id } = await other.create(card);
  const measured = async (): Promise<Measured> => {
    const [reads, creates] = await Promise.all([
      paced({ perSecond: READS_PER_SECOND, seconds: SECONDS, warmUpSeconds: 2, one: () => other.read(id) }),
      paced({ perSecond: CREATES_PER_SECOND, seconds: SECONDS, warmUpSeconds: 2, one: () => other.create(card) }),
    ]);
    return { reads, creates };
  };
  const slowDown = () =>
    paced({
      perSecond: SLOW_CREATES_PER_SECOND,
      seconds: SECONDS + SLOW_MS / 1_000,
      warmUpSeconds: 0,
      one: () => partner.create(state.partner.paymentPoints.card, SLOW_RUB),
    });
  try {
    const floors = [await measured()];
    const meanwhile: Measured[] = [];
    let [made, refused] = [0, 0];
    while (meanwhile.length < ROUNDS) {
      const slow = slowDown();
      // All places are taken from here on.
      await wait(SLOW_MS);
      meanwhile.push(await measured());
      const { done, failed } = await slow;
      made += done;
      refused += failed;
      floors.push(await measured());
    }
    const shares = (what: keyof Measured) =>
      meanwhile.map((now, round) => now[what].p50Ms / mean(floors.slice(round, round + 2).map((floor) => floor[what].p50Ms)));
    const text = [
      `${String(SLOW_CREATES_PER_SECOND)} creates a second of one partner, whose bank takes ${String(SLOW_MS / 1_000)} s; another partner at the same gateway. Alternating, ${String(SECONDS)} s each.`,
      '',
      resultTable(
        floors.flatMap((floor, round) => {
          const now = meanwhile[round];
          return [
            ['floor: its reads', floor.reads] as const,
            ['floor: its creates', floor.creates] as const,
            ...(now === undefined ? [] : [['its reads meanwhile', now.reads] as const, ['its creates meanwhile', now.creates] as const]),
          ];
        }),
      ),
      '',
      `p50 meanwhile ÷ the mean of the floors before and after, median of ${String(ROUNDS)} rounds and their range: reads ${withRange(shares('reads'))} (target ≤ 1.5), creates ${withRange(shares('creates'))} (target ≤ 2). Of the slow creates ${String(made)} were made and ${String(refused)} refused.`,
    ].join('\n');
    const figures = (['reads', 'creates'] as const).map((what): Figure => ({
      name: `${what}, p50 with ÷ without`,
      unit: '',
      better: 'lower',
      values: shares(what),
    }));
    return { text, figures };
  } finally {
    await Promise.all([other.close(), partner.close()]);
  }
}

type Measured = { readonly reads: LoadResult; readonly creates: LoadResult };

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

async function giveOwnRoute(databaseAdminUrl: string, paymentPointId: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseAdminUrl });
  await client.connect();
  try {
    await client.query(`insert into payments.routes (route_id, connector) values ('slow', 'sandbox-bank')`);
    await client.query(`insert into payments.point_routes (payment_point_id, method, priority, route_id) values ($1, 'CARD', 1, 'slow')`, [
      paymentPointId,
    ]);
  } finally {
    await client.end();
  }
}

type SlowWay = { readonly url: string; leadTo(bankUrl: string): void; close(): void };

/** A connection to the bank on which some orders take eight seconds. */
async function startSlowWay(): Promise<SlowWay> {
  let target = '';
  const server = createServer((req, res) => {
    const pass = async (): Promise<void> => {
      const body = await buffer(req);
      if (body.includes(`"${String(SLOW_RUB * 100)}"`)) await wait(SLOW_MS);
      const { authorization = '', 'content-type': contentType = 'application/json' } = req.headers;
      const answer = await fetch(`${target}${req.url ?? ''}`, {
        method: req.method ?? 'GET',
        headers: { authorization, 'content-type': contentType },
        ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
      });
      res.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    };
    pass().catch(() => res.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    leadTo: (bankUrl) => {
      target = bankUrl;
    },
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
