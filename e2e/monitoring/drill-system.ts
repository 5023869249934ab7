import { createServer } from 'node:http';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { LOCAL } from '../../tools/infrastructure/folders.ts';
import { openInfrastructure, type Infrastructure } from '../../tools/infrastructure/infrastructure.ts';
import { SCRAPED } from '../../tools/monitoring/metrics-page.ts';
import { onboardDemoPartner, writeDemoFile } from '../../tools/system/demo.ts';
import { addresses, processUrls } from '../../tools/system/environment.ts';
import type { SystemState } from '../../tools/system/state.ts';
import { removeSystem, serversFolder, startSystemAndServers } from '../../tools/system/up.ts';
import { startCollector, type Collector } from '../../tools/testing/collector.ts';
import { runningSystem } from '../../tools/testing/running-system.ts';
import { openWorld, type World } from '../world.ts';
import { startPrometheus, type Prometheus, type Targets } from './prometheus.ts';
import { shortenedRules } from './shortened-rules.ts';

/** Serves whatever series it is given, for what cannot be broken within a minute. */
export type StandIn = { readonly address: string; serve(series: string): void; close(): Promise<void> };

/** A running system that a real Prometheus scrapes with shortened rules. Its traces go to a collector of the drill. */
export type DrillSystem = {
  readonly world: World;
  readonly prometheus: Prometheus;
  readonly collector: Collector;
  readonly infrastructure: Infrastructure;
  readonly standIn: StandIn;
  /** What is scraped from the beginning. */
  readonly targets: Targets;
  /** When Prometheus began to scrape, in seconds since 1970. */
  readonly sinceSeconds: number;
  remove(): Promise<void>;
};

/** Starts everything; `program` is the path of Prometheus. */
export async function startDrillSystem(program: string, log: (line: string) => void): Promise<DrillSystem> {
  const folder = join(LOCAL, `e2e-${String(process.pid)}-monitoring`);
  const collector = await startCollector();
  // Programs inherit it: metrics come with exemplars, as where traces are recorded.
  process.env['OTEL_EXPORTER_OTLP_ENDPOINT'] = collector.url;
  const state = await startSystemAndServers({ folder, log, purpose: 'test' });
  await onboardDemoPartner(state, folder, addresses(state));
  writeDemoFile(state, folder);
  const world = await openWorld(runningSystem(folder));
  const standIn = await startStandIn();
  const targets = [...SCRAPED.map((job) => targetOf(state, job)), { job: 'stand-in', address: standIn.address }];
  const sinceSeconds = Date.now() / 1_000;
  const prometheus = await startPrometheus({
    program,
    folder: join(folder, 'prometheus'),
    rules: shortenedRules(),
    targets,
  });
  return {
    world,
    prometheus,
    collector,
    infrastructure: openInfrastructure(serversFolder(folder)),
    standIn,
    targets,
    sinceSeconds,
    async remove() {
      await prometheus.stop();
      await standIn.close();
      // Nothing is restored at the partner: the system is being removed.
      world.client.close();
      await world.receiver.close();
      await removeSystem(folder);
      await collector.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const targetOf = (state: SystemState, job: (typeof SCRAPED)[number]) => ({
  job,
  address: new URL(processUrls(state, job, 1).privateUrl).host,
});

async function startStandIn(): Promise<StandIn> {
  let served = '';
  const server = createServer((_req, res) => {
    res.setHeader('Content-Type', 'text/plain; version=0.0.4').end(served);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    address: `127.0.0.1:${String(typeof address === 'object' && address !== null ? address.port : 0)}`,
    serve: (series) => {
      served = series;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Resolves when `ended` is aborted. */
export async function untilEnded(ended: AbortSignal): Promise<void> {
  if (!ended.aborted) await once(ended, 'abort');
}

/** Does something again and again until `ended`, whatever becomes of it. */
export async function again(everyMs: number, ended: AbortSignal, work: () => Promise<unknown>): Promise<void> {
  while (!ended.aborted) {
    await work().catch(() => undefined);
    await wait(everyMs, undefined, { signal: ended }).catch(() => undefined);
  }
}
