import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { internalTokenSigner } from '../packages/shared/src/internal-auth/internal-token.ts';
import { processUrls } from '../tools/system/environment.ts';
import { saturate, type LoadResult } from './load.ts';
import { CONCURRENCY } from './partner.ts';
import { verifiesPerSecond, verifyMsBeside } from './signature.ts';
import { resultTable, table } from './table.ts';
import { withSystem, type World } from './world.ts';

const SECONDS = 10;
/** Until the compiler has optimised the hot code: services run for weeks. */
const WARM_UP_SECONDS = 30;

/**
 * The cost of the gateway: status reads through it, through a bare proxy that only verifies, and directly at the
 * service, all in the same run.
 */
export function benchGateway(): Promise<string> {
  return withSystem({}, async (world) => {
    const { id } = await world.partner.create(world.state.partner.paymentPoints.card);
    const payments = processUrls(world.state, 'payments', 1).url;
    const proxy = await startBareProxy(payments);
    const [direct, bare] = [reader(world, payments, id), reader(world, proxy.url, id)];
    try {
      const through = await measured(world, () => world.partner.read(id), () => world.cpuMs('gateway')); // prettier-ignore
      const floor = await measured(world, bare.read, proxy.cpuMs);
      const asked = await measured(world, direct.read, () => Promise.resolve(0));
      return [
        `Status reads, closed loop, ${String(CONCURRENCY)} in flight, ${String(SECONDS)} s after ${String(WARM_UP_SECONDS)} s of warm-up; one log line a call.`,
        '',
        resultTable([
          ['through the gateway, signed', through.result],
          ['floor: through a bare proxy that verifies a signature', floor.result],
          ['floor: payments asked directly', asked.result],
        ]),
        '',
        table(
          ['CPU a request', 'ms', 'target', 'in verifications', 'target'],
          [
            ['gateway', through.ownMs.toFixed(3), '≤ 0.6', (through.ownMs / through.verifyMs).toFixed(1), '≤ 5'],
            ['of which one Ed25519 verification, in the same seconds', through.verifyMs.toFixed(3), '≤ 0.12', '1', ''],
            ['floor: bare proxy that verifies', floor.ownMs.toFixed(3), '', (floor.ownMs / floor.verifyMs).toFixed(1), ''], // prettier-ignore
            ['floor: one Ed25519 verification, nothing else running', (1_000 / verifiesPerSecond()).toFixed(3), '', '', ''], // prettier-ignore
            ['payments, through the gateway', through.paymentsMs.toFixed(3), '', '', ''],
            ['floor: payments, asked directly', asked.paymentsMs.toFixed(3), '', '', ''],
          ],
        ),
      ].join('\n');
    } finally {
      proxy.stop();
      await Promise.all([direct.close(), bare.close()]);
    }
  });
}

/** `ownCpuMs`: the CPU time used so far by the process in front of payments. */
async function measured(world: World, one: () => Promise<unknown>, ownCpuMs: () => Promise<number>) {
  const load = (seconds: number) => saturate({ concurrency: CONCURRENCY, seconds, warmUpSeconds: 0, one });
  const cpu = () => Promise.all([ownCpuMs(), world.cpuMs('payments')]);
  await load(WARM_UP_SECONDS);
  const before = await cpu();
  const { result, verifyMs } = await verifyMsBeside<LoadResult>(() => load(SECONDS));
  const after = await cpu();
  return {
    result,
    verifyMs,
    ownMs: (after[0] - before[0]) / result.done,
    paymentsMs: (after[1] - before[1]) / result.done,
  };
}

async function startBareProxy(target: string) {
  const file = fileURLToPath(new URL('bare-proxy.ts', import.meta.url));
  const child = spawn(process.execPath, [file, target], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    cpuMs: async () => Number(await (await fetch(`${url}/cpu`)).text()),
    stop: () => {
      child.kill();
    },
  };
}

/** Calls payments as the gateway does: kept-alive connections, and a token that is reused for a while. */
function reader({ state }: World, url: string, id: string) {
  const pool = new Pool(url, { connections: CONCURRENCY, pipelining: 1 });
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
