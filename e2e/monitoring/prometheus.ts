import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { freePorts } from '../../tools/infrastructure/ports.ts';

/** The programs to scrape: the label `job`, and an address (`host:port`). */
export type Targets = readonly { readonly job: string; readonly address: string }[];

/** A Prometheus of the drill's own, which scrapes the running programs every second. */
export type Prometheus = {
  /** Names of the alerts that fire now, each with its severity: `OutboxStuck page`. */
  firing(): Promise<ReadonlySet<string>>;
  /** How many series a query had at any time since this moment, in seconds since 1970. */
  countSeries(query: string, sinceSeconds: number): Promise<number>;
  /** The ids of traces that the exemplars of a query name. */
  traceIds(query: string, sinceSeconds: number): Promise<readonly string[]>;
  /** Of each target: whether it answers, and what is wrong. */
  targets(): Promise<readonly { readonly job: string; readonly health: string; readonly lastError: string }[]>;
  scrape(targets: Targets): void;
  stop(): Promise<void>;
};

/** The label `namespace` of every series. */
export const NAMESPACE = 'pay';

const START_MS = 60_000;
const POLL_MS = 100;
const STEP_SECONDS = 5;

const Alerts = z.object({
  data: z.object({
    alerts: z.array(z.object({ state: z.string(), labels: z.object({ alertname: z.string(), severity: z.string() }) })),
  }),
});
const Matrix = z.object({ data: z.object({ result: z.array(z.object({ values: z.array(z.tuple([z.number(), z.string()])) })) }) });
const Exemplars = z.object({
  data: z.array(z.object({ exemplars: z.array(z.object({ labels: z.record(z.string(), z.string()) })) })),
});
const TargetList = z.object({
  data: z.object({
    activeTargets: z.array(z.object({ labels: z.object({ job: z.string() }), health: z.string(), lastError: z.string() })),
  }),
});

type Options = { readonly program: string; readonly folder: string; readonly rules: string; readonly targets: Targets };

/** Starts it on a free port. @throws Error with the end of its log if it does not become ready */
export async function startPrometheus({ program, folder, rules, targets }: Options): Promise<Prometheus> {
  mkdirSync(folder, { recursive: true });
  const file = (name: string) => join(folder, name);
  const scrape = (list: Targets) => {
    // As an operator's ServiceMonitor labels them: the autoscalers' rules ask for the pod.
    const groups = list.map(({ job, address }) => ({ targets: [address], labels: { job, namespace: NAMESPACE, pod: `${job}-1` } }));
    writeFileSync(file('targets.json'), JSON.stringify(groups));
  };
  scrape(targets);
  writeFileSync(file('rules.json'), rules);
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: [file('rules.json')],
    scrape_configs: [
      {
        job_name: 'pay',
        honor_labels: true,
        file_sd_configs: [{ files: [file('targets.json')], refresh_interval: '1s' }],
      },
    ],
  };
  writeFileSync(file('prometheus.yml'), JSON.stringify(config));
  const { web } = await freePorts(['web']);
  const url = `http://127.0.0.1:${String(web)}`;
  const logFile = file('prometheus.log');
  const log = openSync(logFile, 'w');
  const child = spawn(
    program,
    [
      `--config.file=${file('prometheus.yml')}`,
      `--storage.tsdb.path=${file('data')}`,
      `--web.listen-address=127.0.0.1:${String(web)}`,
      '--enable-feature=exemplar-storage',
      '--log.level=warn',
    ],
    { stdio: ['ignore', log, log] },
  );
  const closed = once(child, 'close');
  const stop = async () => {
    child.kill('SIGTERM');
    await closed;
  };
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const end = Date.now() + START_MS; !(await isReady());) {
    await wait(POLL_MS);
    if (child.exitCode === null && Date.now() < end) continue;
    await stop();
    throw new Error(`Prometheus did not start: ${readFileSync(logFile, 'utf8').slice(-2_000)}`);
  }
  return { ...askedAt(url), scrape, stop };
}

function askedAt(url: string): Omit<Prometheus, 'scrape' | 'stop'> {
  const ask = async (path: string, parameters: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters).toString()}`);
    if (!response.ok) throw new Error(`Prometheus answered ${String(response.status)}: ${await response.text()}`);
    return response.json();
  };
  const since = (seconds: number) => ({ start: String(seconds), end: String(Date.now() / 1_000) });
  return {
    async firing() {
      const { data } = Alerts.parse(await ask('alerts'));
      const firing = data.alerts.filter(({ state }) => state === 'firing');
      return new Set(firing.map(({ labels }) => `${labels.alertname} ${labels.severity}`));
    },
    async countSeries(query, sinceSeconds) {
      const range = { query, ...since(sinceSeconds), step: String(STEP_SECONDS) };
      const { result } = Matrix.parse(await ask('query_range', range)).data;
      // 0 / 0 is a series without a value.
      return result.filter(({ values }) => values.some(([, value]) => value !== 'NaN')).length;
    },
    async traceIds(query, sinceSeconds) {
      const { data } = Exemplars.parse(await ask('query_exemplars', { query, ...since(sinceSeconds) }));
      return data.flatMap(({ exemplars }) => exemplars.flatMap(({ labels }) => labels['trace_id'] ?? []));
    },
    async targets() {
      const { activeTargets } = TargetList.parse(await ask('targets')).data;
      return activeTargets.map(({ labels, ...target }) => ({ job: labels.job, ...target }));
    },
  };
}
