// `npm run test:monitoring`: a real Prometheus scrapes a running system with shortened rules. Every alert is made to fire, and
// every panel of the dashboards has to have had data, and every metric that the chart's autoscalers ask for. `npm run test:monitoring --
// <word> …`: only the alerts whose names contain one of the words. A whole run that succeeds writes docs/operate/fire-drills.md.
import { once } from 'node:events';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { get, type ClientRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { freshMoment, readIdentity, signRequest } from '../../packages/sdk/src/sign.ts';
import { ROOT } from '../../tools/infrastructure/folders.ts';
import { endIfMissing, obtainProgram } from '../../tools/infrastructure/obtain-program.ts';
import { startTraffic } from '../faults/traffic.ts';
import { CARDS, type World } from '../world.ts';
import { adapterQueries } from './adapter.ts';
import type { Drill } from './drill.ts';
import { startDrillSystem, type DrillSystem } from './drill-system.ts';
import { DRILLS } from './drills.ts';
import { renderPage, type Fired } from './report.ts';
import { allAlerts } from './shortened-rules.ts';

const POLL_MS = 250;
/** Traffic before the first fault, in which no alert may fire. */
const QUIET_MS = 40_000;
/** Longer than any drill takes on a busy machine. */
const DRILL_MS = 150_000;

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

/** Waits until a condition holds; false after `forMs`. */
async function within(forMs: number, look: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + forMs; Date.now() < end;) {
    if (await look()) return true;
    await wait(POLL_MS);
  }
  return false;
}

/** What came of a drill: the alerts that fired, with the seconds that it took, and what was wrong. */
type Drilled = { readonly fired: readonly Fired[]; readonly problems: readonly string[] };

/** Makes the fault until all its alerts have fired, and undoes it. */
async function runDrill(system: DrillSystem, { fault, raises, make }: Drill): Promise<Drilled> {
  const { prometheus } = system;
  // What an earlier fault has left must have ended: it must be this one that they fire for.
  const isQuiet = await within(DRILL_MS, async () => {
    const firing = await prometheus.firing();
    return raises.every((alert) => !firing.has(alert));
  });
  if (!isQuiet) return { fired: [], problems: [`an alert still fires from before: ${fault}`] };
  const over = new AbortController();
  const begun = performance.now();
  const seconds = new Map<string, number>();
  const problems: string[] = [];
  const made = make(system, over.signal).catch((error: unknown) => {
    problems.push(`${fault}: ${String(error)}`);
  });
  await within(DRILL_MS, async () => {
    for (const alert of await prometheus.firing())
      if (!seconds.has(alert)) seconds.set(alert, Math.round((performance.now() - begun) / 1_000));
    return problems.length > 0 || raises.every((alert) => seconds.has(alert));
  });
  over.abort();
  await made;
  const fired = raises.flatMap((alert) => {
    const after = seconds.get(alert);
    return after === undefined ? [] : [{ alert, seconds: after, fault }];
  });
  const silent = raises.filter((alert) => !seconds.has(alert));
  return { fired, problems: [...problems, ...silent.map((alert) => `${alert} did not fire: ${fault}`)] };
}

const Dashboard = z.object({
  panels: z.array(z.object({ title: z.string(), targets: z.array(z.object({ expr: z.string() })).default([]) })),
});

/** The queries of all panels, each with where it is. */
const panelQueries = () =>
  globSync('deploy/grafana/*.json', { cwd: ROOT }).flatMap((path) =>
    Dashboard.parse(JSON.parse(readFileSync(join(ROOT, path), 'utf8'))).panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({ where: `${path}: ${title}`, expr })),
    ),
  );

/** A stream of the partner's events. */
async function openStream({ partner, system }: World): Promise<ClientRequest> {
  const target = '/api/event-stream';
  const unsigned = { method: 'GET', target, idempotencyKey: '', body: Buffer.alloc(0) };
  const { authorization } = signRequest(readIdentity(partner), unsigned, freshMoment(new Date()));
  const stream = get(`${system.addresses.baseUrl}${target}`, { headers: { Authorization: authorization } });
  await once(stream, 'response');
  stream.on('error', () => undefined);
  return stream;
}

/** What a minute of ordinary life leaves: payments that are paid, declined and told of, and no alert. */
async function liveQuietly({ world, prometheus }: DrillSystem): Promise<readonly string[]> {
  const traffic = startTraffic(world, 2);
  await world.pay(await world.create(), CARDS.declined);
  const stream = await openStream(world);
  await wait(QUIET_MS);
  await traffic.end();
  stream.destroy();
  const down = (await prometheus.targets()).filter(({ health }) => health !== 'up');
  const loud = await prometheus.firing();
  return [
    ...down.map(({ job, lastError }) => `${job} is not scraped: ${lastError}`),
    ...[...loud].map((alert) => `${alert} fires although nothing is wrong`),
  ];
}

/** Panels and metrics of autoscalers without data, and exemplars that name no trace that was recorded. */
async function checkPanels({ prometheus, sinceSeconds, collector }: DrillSystem): Promise<readonly string[]> {
  const problems: string[] = [];
  // The chart's autoscalers ask for the requests in flight of these three.
  const queries = [...panelQueries(), ...adapterQueries(['gateway', 'payments', 'checkout'])];
  for (const { where, expr } of queries) {
    const count = await prometheus.countSeries(expr, sinceSeconds);
    if (count === 0) problems.push(`${where} has no data: ${expr}`);
  }
  const known = new Set(collector.spans.map(({ traceId }) => traceId));
  const named = await prometheus.traceIds('http_request_duration_seconds_bucket{job="gateway"}', sinceSeconds);
  if (!named.some((traceId) => known.has(traceId))) problems.push('no exemplar names a trace that was recorded');
  say(`${String(queries.length)} queries of panels and autoscalers, ${String(problems.length)} without data`);
  return problems;
}

async function run(words: readonly string[], program: string): Promise<void> {
  const wanted = (alert: string) => words.length === 0 || words.some((word) => alert.includes(word));
  const drills = DRILLS.filter(({ raises }) => raises.some(wanted));
  const system = await startDrillSystem(program, (line) => {
    say(`  ${line}`);
  });
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => {
      void system.remove().finally(() => process.exit(130));
    });
  const problems: string[] = [];
  const fired: Fired[] = [];
  try {
    if (words.length === 0) problems.push(...(await liveQuietly(system)));
    for (const drill of drills) {
      const drilled = await runDrill(system, drill);
      fired.push(...drilled.fired);
      problems.push(...drilled.problems);
      for (const { alert, seconds } of drilled.fired) say(`${alert}: fired after ${String(seconds)} s: ${drill.fault}`);
    }
    if (words.length === 0) problems.push(...(await checkPanels(system)));
  } finally {
    await system.remove();
  }
  const alerts = allAlerts();
  if (words.length === 0)
    problems.push(...alerts.flatMap(({ name }) => (fired.some(({ alert }) => alert === name) ? [] : [`${name} has not fired`])));
  for (const problem of new Set(problems)) say(`FAILED: ${problem}`);
  say(`${String(fired.length)} alerts fired, ${String(new Set(problems).size)} problems`);
  if (problems.length > 0) process.exitCode = 1;
  else if (words.length === 0) writeFileSync(join(ROOT, 'docs/operate/fire-drills.md'), renderPage(alerts, fired, new Date()));
}

await run(process.argv.slice(2), await obtainProgram('prometheus', say).catch(endIfMissing));
