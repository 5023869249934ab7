import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIdentity } from '../packages/sdk/src/sign.ts';
import { LOCAL } from '../tools/infrastructure/folders.ts';
import { startInfrastructure, type Infrastructure } from '../tools/infrastructure/infrastructure.ts';
import { onboardDemoPartner } from '../tools/system/demo.ts';
import { addresses, processUrls } from '../tools/system/environment.ts';
import type { OwnProgram, SystemState } from '../tools/system/state.ts';
import { removeSystem, serversFolder, startSystem } from '../tools/system/up.ts';
import { partnerOf, type BenchPartner } from './partner.ts';

/** Benches run one at a time: this folder is theirs, and so is the machine. */
const folder = join(LOCAL, 'bench');

export const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** A whole system with a partner that signs. */
export type World = {
  readonly state: SystemState;
  readonly partner: BenchPartner;
  /** A partner that talks to one replica of the gateway only. */
  readonly partnerAt: (replica: number) => BenchPartner;
  /** CPU time that a process has used since it started. */
  readonly cpuMs: (program: OwnProgram, replica?: number) => Promise<number>;
};

type Options = {
  readonly replicas?: Partial<Record<OwnProgram, number>>;
  readonly env?: Partial<Record<OwnProgram, Record<string, string>>>;
};

/** Runs `work` with its own servers, which write to disk as in production, and removes them. */
export async function withServers<T>(work: (servers: Infrastructure) => Promise<T>): Promise<T> {
  await removeSystem(folder);
  // Keys and secrets of an earlier run match no database any more.
  rmSync(folder, { recursive: true, force: true });
  const servers = await startInfrastructure({ folder: serversFolder(folder), log: say, purpose: 'start' });
  try {
    return await work(servers);
  } finally {
    await removeSystem(folder);
  }
}

/** Runs `work` on a whole system that logs as in production, and removes it. */
export async function withSystem<T>(options: Options, work: (world: World) => Promise<T>): Promise<T> {
  return withServers(async (infrastructure) => {
    const state = await startSystem({ folder, infrastructure, log: say, ...options });
    const urls = addresses(state);
    await onboardDemoPartner(state, folder, urls);
    const opened: BenchPartner[] = [];
    const partnerAt = (replica: number): BenchPartner => {
      const partner = partnerOf(processUrls(state, 'gateway', replica).url, readIdentity(state.partner));
      opened.push(partner);
      return partner;
    };
    try {
      return await work({
        state,
        partner: partnerAt(1),
        partnerAt,
        cpuMs: (service, replica = 1) => cpuMsOf(processUrls(state, service, replica).privateUrl),
      });
    } finally {
      await Promise.all(opened.map((partner) => partner.close()));
    }
  });
}

/** A process's CPU time, user and system, from its own metrics. */
export async function cpuMsOf(privateUrl: string): Promise<number> {
  const metrics = await (await fetch(`${privateUrl}/metrics`)).text();
  const seconds = /^process_cpu_seconds_total ([\d.e+-]+)$/m.exec(metrics)?.[1];
  if (seconds === undefined) throw new Error(`${privateUrl} does not say how much CPU it used`);
  return Number(seconds) * 1_000;
}
