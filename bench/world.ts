import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIdentity } from '../packages/sdk/src/sign.ts';
import { containersOf } from '../tools/infrastructure/containers.ts';
import { folderId } from '../tools/infrastructure/files.ts';
import { LOCAL } from '../tools/infrastructure/folders.ts';
import { startInfrastructure, type Infrastructure } from '../tools/infrastructure/infrastructure.ts';
import { onboardDemoPartner } from '../tools/system/demo.ts';
import { addresses, processUrls } from '../tools/system/environment.ts';
import type { OwnProgram, SystemState } from '../tools/system/state.ts';
import { openSystem, removeSystem, serversFolder, startSystem } from '../tools/system/up.ts';
import { partnerOf, type BenchPartner } from './partner.ts';

/** Benches run one at a time: this folder is theirs, and so is the machine. */
const folder = join(LOCAL, 'bench');

/** Longer than a service takes to drain. */
const STOP_MS = 20_000;
/**
 * One of these stands in the command line of each server of a bench, or of the process that started it; for servers in
 * containers, in the name of its control group.
 */
export async function serverMarks({ rung }: Infrastructure): Promise<readonly string[]> {
  const ours = serversFolder(folder);
  return rung === 3 ? containersOf(ours) : [ours, folderId(ours)];
}

export const say = (line: string): void => {
  process.stderr.write(`${line}\n`);
};

/** A whole system with a partner that signs. */
export type World = {
  readonly servers: Infrastructure;
  readonly state: SystemState;
  readonly partner: BenchPartner;
  /** A partner that talks to one replica of the gateway only. */
  readonly partnerAt: (replica: number) => BenchPartner;
  /**
   * Ends the first replica of these programs as a release does, starts it again, and returns when all are ready: how many milliseconds that
   * took, from the first start on.
   */
  readonly restart: (...programs: readonly OwnProgram[]) => Promise<number>;
  /** What a process has used, by its own metrics: processor time since its start, and memory now. */
  readonly usageOf: (program: OwnProgram, replica?: number) => Promise<{ cpuMs: number; rssMiB: number }>;
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
        servers: infrastructure,
        state,
        partner: partnerAt(1),
        partnerAt,
        restart: async (...programs) => {
          const system = openSystem(folder);
          await Promise.all(programs.map((program) => system.kill(program, 'SIGTERM')));
          await Promise.all(programs.map((program) => system.waitUntilEnded(program, STOP_MS)));
          const begin = performance.now();
          // One after another: each writes the file of the system's state.
          for (const program of programs) await system.restart(program);
          return performance.now() - begin;
        },
        usageOf: (service, replica = 1) => usageAt(processUrls(state, service, replica).privateUrl),
      });
    } finally {
      await Promise.all(opened.map((partner) => partner.close()));
    }
  });
}

async function usageAt(privateUrl: string): Promise<{ cpuMs: number; rssMiB: number }> {
  const metrics = await (await fetch(`${privateUrl}/metrics`)).text();
  const read = (name: string): number => {
    const value = new RegExp(`^${name} ([\\d.e+-]+)$`, 'm').exec(metrics)?.[1];
    if (value === undefined) throw new Error(`${privateUrl} has no metric ${name}`);
    return Number(value);
  };
  return {
    cpuMs: read('process_cpu_seconds_total') * 1_000,
    rssMiB: read('process_resident_memory_bytes') / 1_048_576,
  };
}
