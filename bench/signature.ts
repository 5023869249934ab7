import { spawn } from 'node:child_process';
import { generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

/** What an Ed25519 verification (node:crypto, a kept key object) costs on this machine: what a signed request costs at least. */

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const message = randomBytes(200);
const signature = sign(null, message, privateKey);

/** One verification. */
export function verifyOnce(): void {
  if (!verify(null, message, publicKey, signature)) throw new Error('a good signature was refused');
}

/** Verifications a second of one process that does nothing else. */
export function verifiesPerSecond(): number {
  const run = (count: number): number => {
    const startedAt = process.hrtime.bigint();
    for (let done = 0; done < count; done += 1) verifyOnce();
    return count / (Number(process.hrtime.bigint() - startedAt) / 1e9);
  };
  run(2_000);
  return run(20_000);
}

const SAMPLE_EVERY_MS = 100;
const SAMPLE = 20;

/** Runs `work`, and says what CPU a verification took in the same seconds: with both cores busy it takes up to twice as much. */
export async function verifyMsBeside<T>(work: () => Promise<T>): Promise<{ result: T; verifyMs: number }> {
  let cpuMs = 0;
  let count = 0;
  const timer = setInterval(() => {
    const before = process.threadCpuUsage();
    for (let done = 0; done < SAMPLE; done += 1) verifyOnce();
    const { user, system } = process.threadCpuUsage(before);
    cpuMs += (user + system) / 1_000;
    count += SAMPLE;
  }, SAMPLE_EVERY_MS);
  try {
    return { result: await work(), verifyMs: cpuMs / count };
  } finally {
    clearInterval(timer);
  }
}

/** Verifications a second of one process a core, all at once (Linux: `taskset`). */
export async function verifiesOnCores(cores: readonly number[]): Promise<number> {
  const rates = await Promise.all(cores.map(verifiesOnCore));
  return rates.reduce((sum, rate) => sum + rate, 0);
}

async function verifiesOnCore(core: number): Promise<number> {
  const command = [process.execPath, fileURLToPath(new URL('verifies-per-second.ts', import.meta.url))];
  const child = spawn('taskset', ['-c', String(core), ...command], { stdio: ['ignore', 'pipe', 'inherit'] });
  return Number(await text(child.stdout));
}
