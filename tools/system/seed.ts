import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';
import { SERVICES, type ServiceName } from '../infrastructure/provision.ts';
import { environmentOf, inheritedEnvironment, receiverOf } from './environment.ts';
import type { Layout } from './layout.ts';
import type { DemoPartner, SystemState } from './state.ts';

/** Creates what partners cannot create themselves: their identity, store, points and USDT. Safe to repeat. */
export async function seedAll(state: SystemState, layout: Layout): Promise<void> {
  const input = JSON.stringify(seedOf(state, layout));
  await Promise.all(SERVICES.map((service) => runSeed(service, environmentOf(state, layout, service, 1), input)));
}

/**
 * The seeds' input on stdin. The demo partner's addresses and callback secret are set through the public API instead.
 */
function seedOf(state: SystemState, layout: Layout) {
  const visible = ({ partnerID, publicKey, storeID, paymentPoints, beneficiaryRef }: DemoPartner) => ({
    partnerID,
    publicKey,
    storeID,
    paymentPoints,
    beneficiaryRef,
  });
  const receiver = layout.origin(`${receiverOf(state)}-1`);
  return {
    demo: {
      ...visible(state.partner),
      returnUrl: `${receiver}/return`,
      callbackUrl: `${receiver}/callbacks`,
      usdtBalance: '10000.000000',
    },
    other: visible(state.other),
    operators: state.operators,
  };
}

/** Runs a service's `seed.ts`, if it has one. @throws Error with its output if it fails */
async function runSeed(service: ServiceName, env: Record<string, string>, input: string): Promise<void> {
  const main = `services/${service}/src/seed.ts`;
  if (!existsSync(join(ROOT, main))) return;
  const child = spawn(process.execPath, [main], {
    cwd: ROOT,
    env: { ...inheritedEnvironment(), ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // A script that does not read its input may close it.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  if (code !== 0) throw new Error(`${service}: seed failed\n${output.trimEnd().split('\n').slice(-12).join('\n')}`);
}
