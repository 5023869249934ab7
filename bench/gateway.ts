import { Pool } from 'undici';
import { internalTokenSigner } from '../packages/shared/src/internal-auth/internal-token.ts';
import { processUrls } from '../tools/system/environment.ts';
import { verifiesPerSecond } from './floor.ts';
import { saturate, type LoadResult } from './load.ts';
import { CONCURRENCY } from './partner.ts';
import { resultTable, table } from './table.ts';
import { withSystem, type World } from './world.ts';

const SECONDS = 10;
/** Until the compiler has seen what is hot: services run for weeks. */
const WARM_UP_SECONDS = 30;

/** What the door costs: status reads through the gateway, and the same service asked directly in the same run. */
export function benchGateway(): Promise<string> {
  return withSystem({}, async (world) => {
    const { id } = await world.partner.create(world.state.partner.paymentPoints.card);
    const direct = directReader(world, id);
    const through = await measured(world, () => world.partner.read(id));
    const floor = await measured(world, direct.read);
    await direct.close();
    const verifyMs = 1_000 / verifiesPerSecond();
    return [
      `Status reads, closed loop, ${String(CONCURRENCY)} in flight, ${String(SECONDS)} s after ${String(WARM_UP_SECONDS)} s of warm-up; one log line a call.`,
      '',
      resultTable([
        ['through the gateway, signed', through.result],
        ['floor: payments asked directly', floor.result],
      ]),
      '',
      table(
        ['CPU a request', 'ms', 'target'],
        [
          ['gateway', through.gatewayMs.toFixed(3), '≤ 0.6'],
          ['of which one Ed25519 verification', verifyMs.toFixed(3), '≤ 0.12'],
          ['gateway, in verifications', (through.gatewayMs / verifyMs).toFixed(1), '≤ 5'],
          ['payments, through the gateway', through.paymentsMs.toFixed(3), ''],
          ['floor: payments, asked directly', floor.paymentsMs.toFixed(3), ''],
        ],
      ),
    ].join('\n');
  });
}

async function measured(world: World, one: () => Promise<unknown>) {
  const load = (seconds: number) => saturate({ concurrency: CONCURRENCY, seconds, warmUpSeconds: 0, one });
  await load(WARM_UP_SECONDS);
  const before = await cpu(world);
  const result: LoadResult = await load(SECONDS);
  const after = await cpu(world);
  return {
    result,
    gatewayMs: (after.gateway - before.gateway) / result.done,
    paymentsMs: (after.payments - before.payments) / result.done,
  };
}

async function cpu(world: World): Promise<{ gateway: number; payments: number }> {
  const [gateway, payments] = await Promise.all([world.cpuMs('gateway'), world.cpuMs('payments')]);
  return { gateway, payments };
}

/** Asks payments as the gateway does: a kept connection, a token that is used for a while. */
function directReader({ state }: World, id: string) {
  const pool = new Pool(processUrls(state, 'payments', 1).url, { connections: CONCURRENCY, pipelining: 1 });
  const key = Buffer.from(state.secrets.internalTokenKeys.payments, 'base64');
  const token = internalTokenSigner('gateway', 'payments', key);
  return {
    read: async (): Promise<void> => {
      const headers = { 'x-internal-token': token(state.partner.partnerID) };
      const { statusCode, body } = await pool.request({ method: 'GET', path: `/api/card/${id}`, headers });
      await body.text();
      if (statusCode !== 200) throw new Error(`payments answered ${String(statusCode)}`);
    },
    close: () => pool.close(),
  };
}
