// `npm run bench`: the system's speed at saturation, each figure beside its own floor of the same run. Loopback only.
import { randomUUID } from 'node:crypto';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { freshMoment, readIdentity, signRequest, type Identity } from '../packages/sdk/src/sign.ts';
import { LOCAL } from '../tools/infrastructure/folders.ts';
import { startInfrastructure } from '../tools/infrastructure/infrastructure.ts';
import { onboardDemoPartner } from '../tools/system/demo.ts';
import { addresses } from '../tools/system/environment.ts';
import { removeSystem, startSystem } from '../tools/system/up.ts';
import { floorOfCreates, floorOfReads, verifiesPerSecond } from './floor.ts';
import { saturate, type LoadResult } from './load.ts';

const CONCURRENCY = 32;
const SECONDS = 10;
const folder = join(LOCAL, 'bench');
const say = (line: string) => {
  process.stderr.write(`${line}\n`);
};

type Row = { readonly what: string; readonly result: LoadResult };

async function main(): Promise<void> {
  process.env['LOG_LEVEL'] = 'warn';
  await removeSystem(folder);
  const infrastructure = await startInfrastructure({
    folder: join(folder, 'infrastructure'),
    log: say,
    purpose: 'start',
  });
  try {
    const state = await startSystem({ folder, infrastructure, log: say });
    const doors = addresses(state);
    await onboardDemoPartner(state, folder, doors);
    const partner = partnerOf(doors.baseUrl, readIdentity(state.partner));
    const { gateway, payments } = state.databaseUrls;
    if (gateway === undefined || payments === undefined) throw new Error('the system has no databases');

    const create = () => partner.create(state.partner.paymentPoints.card);
    const { id } = await create();
    say('measuring …');
    const rows: Row[] = [
      { what: 'status reads, signed, through the gateway', result: await load(() => partner.read(id)) },
      {
        what: 'floor: the same statements on a bare pg pool',
        result: await floorOfReads({ gateway, payments }, id, state.partner.partnerID),
      },
      {
        what: 'card creates, signed, through gateway, payments and bank',
        result: await load(async () => {
          await create();
        }),
      },
      {
        what: 'floor: the same statements on a bare pg pool',
        result: await floorOfCreates(
          { gateway, payments },
          { partnerId: state.partner.partnerID, pointId: state.partner.paymentPoints.card, routeId: 'sandbox-bank' },
        ),
      },
    ];
    await partner.close();
    process.stdout.write(table(rows, verifiesPerSecond()));
  } finally {
    await removeSystem(folder);
  }
}

function load(one: () => Promise<void>): Promise<LoadResult> {
  return saturate({ concurrency: CONCURRENCY, seconds: SECONDS, warmUpSeconds: 3, one });
}

/** A partner without comfort: one pool, one signature a request, no retries. */
function partnerOf(baseUrl: string, identity: Identity) {
  const pool = new Pool(baseUrl, { connections: CONCURRENCY, pipelining: 1 });
  const call = async (method: 'GET' | 'POST', target: string, status: number, text = ''): Promise<unknown> => {
    const body = Buffer.from(text);
    const idempotencyKey = method === 'POST' ? randomUUID() : '';
    const { authorization } = signRequest(identity, { method, target, idempotencyKey, body }, freshMoment(new Date()));
    const response = await pool.request({
      method,
      path: target,
      headers: {
        authorization,
        ...(method === 'POST' ? { 'content-type': 'application/json', 'idempotency-key': idempotencyKey } : {}),
      },
      ...(method === 'POST' ? { body } : {}),
    });
    const answer = await response.body.text();
    if (response.statusCode !== status)
      throw new Error(`${method} ${target}: ${String(response.statusCode)} ${answer}`);
    return JSON.parse(answer);
  };
  return {
    async read(id: string): Promise<void> {
      await call('GET', `/api/card/${id}`, 200);
    },
    async create(paymentPointID: string): Promise<{ id: string }> {
      const orderID = `bench-${randomUUID()}`;
      const payment = {
        paymentPointID,
        orderID,
        amount: 10.5,
        currency: 'RUB',
        description: 'bench',
        customerID: 'bench',
      };
      const answer = await call('POST', '/api/card', 201, JSON.stringify({ ...payment, savePaymentMethod: false }));
      return answer as { id: string };
    },
    close: () => pool.close(),
  };
}

function table(rows: readonly Row[], verifies: number): string {
  const [cpu] = cpus();
  const lines = rows.map(
    ({ what, result }) =>
      `| ${what} | ${result.perSecond.toFixed(0)} | ${result.p50Ms.toFixed(1)} | ${result.p99Ms.toFixed(1)} | ${String(result.failed)} |`,
  );
  return [
    `${String(cpus().length)} cores, ${cpu?.model ?? 'unknown'}, Node ${process.version}; load generator, services and databases share them.`,
    `Closed loop, ${String(CONCURRENCY)} requests in flight, ${String(SECONDS)} s after 3 s of warm-up; floors with 10 in flight.`,
    '',
    '| what | per second | p50 ms | p99 ms | failed |',
    '|---|---:|---:|---:|---:|',
    ...lines,
    `| floor: Ed25519 verifications on one core (node:crypto) | ${verifies.toFixed(0)} | | | |`,
    '',
  ].join('\n');
}

await main();
