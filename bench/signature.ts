import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/**
 * The cost of an Ed25519 verification (node:crypto, cached key object) on this machine: the minimum for a signed
 * request.
 */

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const message = randomBytes(200);
const signature = sign(null, message, privateKey);

function verifyOnce(): void {
  if (!verify(null, message, publicKey, signature)) throw new Error('a good signature was refused');
}

/** Verifications per second of a process that does nothing else. */
export function verifiesPerSecond(): number {
  const run = (count: number): number => {
    const startedAt = process.hrtime.bigint();
    for (let done = 0; done < count; done += 1) verifyOnce();
    return count / (Number(process.hrtime.bigint() - startedAt) / 1e9);
  };
  run(2_000);
  return run(20_000);
}

/** Verifications per second with one process per core, all at once (Linux: `taskset`). */
export async function verifiesOnCores(cores: readonly number[]): Promise<number> {
  const rates = await Promise.all(cores.map(verifiesOnCore));
  return rates.reduce((sum, rate) => sum + rate, 0);
}

async function verifiesOnCore(core: number): Promise<number> {
  const command = [process.execPath, fileURLToPath(new URL('verifies-per-second.ts', import.meta.url))];
  const child = spawn('taskset', ['-c', String(core), ...command], { stdio: ['ignore', 'pipe', 'inherit'] });
  return Number(await text(child.stdout));
}
