import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { registry } from '../../packages/shared/src/telemetry/metrics.ts';
import { commandList } from '../../packages/cli/test/command-list.ts';
import { ROOT } from '../infrastructure/folders.ts';
import { allDocumentedMetrics, isDefaultMetric, SCRAPED } from './metrics-page.ts';
import { programOnPath } from '../infrastructure/programs.ts';
import { checkRules, testRules } from './promtool.ts';
import { readQuery } from './queries.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const filesOf = (pattern: string): string[] => globSync(pattern, { cwd: ROOT }).toSorted();
const duration = z.string().regex(/^\d+[smhd](\d+[mh])?$/);

const Recording = z.strictObject({ record: z.string(), expr: z.string(), labels: z.record(z.string(), z.string()).optional() });
const Alert = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: duration.optional(),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.strictObject({ summary: z.string(), runbook: z.string() }),
});
const rulesOf = <T>(path: string, rule: z.ZodType<T>): T[] =>
  z
    .strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(rule) })) })
    .parse(parse(read(path)))
    .groups.flatMap(({ rules }) => rules);
const recordings = rulesOf('deploy/prometheus/recording.yml', Recording);
const alerts = rulesOf('deploy/prometheus/alerts.yml', Alert);

const RuleTest = z.object({
  alert_rule_test: z.array(
    z.object({
      alertname: z.string(),
      exp_alerts: z.array(z.object({ exp_labels: z.object({ severity: z.string() }) })).default([]),
    }),
  ),
});
const ruleTests = filesOf('deploy/prometheus/tests/*.yml').flatMap(
  (path) => z.object({ tests: z.array(RuleTest) }).parse(parse(read(path))).tests,
);

const Panel = z.object({
  id: z.int(),
  title: z.string().min(1),
  gridPos: z.object({ x: z.int(), y: z.int(), w: z.int(), h: z.int() }),
  targets: z.array(z.object({ expr: z.string(), legendFormat: z.string() })).default([]),
});
const dashboards = filesOf('deploy/grafana/*.json').map((path) => {
  const { uid, title, panels } = z.object({ uid: z.string(), title: z.string(), panels: z.array(Panel) }).parse(JSON.parse(read(path)));
  return { path, uid, title, panels };
});

const runbooks = filesOf('docs/operate/runbooks/alerts/*.md').filter((path) => !path.endsWith('README.md'));
const blocksOf = (path: string, language: string): string[] =>
  [...read(path).matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].flatMap(([, text = '']) => text.trim().split('\n'));

/** What Prometheus and prom-client add. */
const GIVEN_LABELS = ['job', 'instance', 'le', 'slo'];
const documented = allDocumentedMetrics();

/** What is wrong with a query: it does not parse, or reads something that does not exist. */
function faultsOf(where: string, query: string): string[] {
  const { selected, isBroken } = readQuery(query);
  if (isBroken || selected.length === 0) return [`${where}: does not parse: ${query}`];
  return selected.flatMap(({ metric, labels }) => {
    const known = labelsOf(metric);
    if (known === undefined) return [`${where}: there is no ${metric}`];
    return labels.filter((label) => !known.includes(label)).map((label) => `${where}: ${metric} has no label ${label}`);
  });
}

/** The labels of a metric, a part of a histogram, or a recording; undefined if there is none. */
function labelsOf(metric: string): readonly string[] | undefined {
  if (metric === 'up' || isDefaultMetric(metric)) return GIVEN_LABELS;
  const recording = recordings.filter(({ record }) => record === metric);
  // What a recording is grouped by is what it has.
  if (recording.length > 0)
    return [...GIVEN_LABELS, ...recording.flatMap(({ expr }) => readQuery(expr).selected.flatMap(({ labels }) => labels))];
  const whole = documented.get(metric);
  const histogram = documented.get(metric.replace(/_(bucket|count|sum)$/, ''));
  const found = whole?.type === 'histogram' ? undefined : (whole ?? (histogram?.type === 'histogram' ? histogram : undefined));
  return found === undefined ? undefined : [...GIVEN_LABELS, ...found.labels];
}

// What declares metrics of a program's own.
beforeAll(async () => {
  await Promise.all([
    import('../../services/gateway/src/http/authenticate.ts'),
    import('../../services/gateway/src/nonces/nonce-store.ts'),
    import('../../services/notifier/src/delivery/metrics.ts'),
    import('../../services/payments/src/checkout/csp-reports.ts'),
    import('../../services/payments/src/checkout/page-check-loop.ts'),
    import('../../services/payments/src/use-cases/checkout/admit-card.ts'),
    import('../../services/payments/src/use-cases/ledger/check-ledger.ts'),
    import('../../services/payments/src/use-cases/operator/measure.ts'),
    import('../../services/payments/src/use-cases/payment/count-ended.ts'),
    import('../../services/withdrawals/src/use-cases/watch-withdrawals.ts'),
  ]);
});

// That each program serves its own: `tools/processes.db.test.ts`.
describe('docs/operate/metrics.md', () => {
  it('has each metric with its type and labels, and no other', () => {
    const declared = registry
      .getMetricsAsArray()
      .filter(({ name }) => !isDefaultMetric(name))
      .map((metric) => ({
        name: metric.name,
        type: String(metric.type),
        labels: 'labelNames' in metric && Array.isArray(metric.labelNames) ? metric.labelNames.map(String) : [],
      }));
    const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
    expect([...documented.values()].toSorted(byName)).toEqual(declared.toSorted(byName));
  });
});

describe('a counter whose rise is an alert', () => {
  it('is served with its labels before it rises: Prometheus sees no rise in the first value of a series', async () => {
    const watched = alerts.flatMap(({ expr }) => /increase\((\w+)[^/]*> \d+$/.exec(expr)?.[1] ?? []);
    expect(watched.length).toBeGreaterThan(4);
    const counts = await Promise.all(
      watched.map(async (name) => [name, (await registry.getSingleMetric(name)?.get())?.values.length ?? 0] as const),
    );
    expect(counts.filter(([, count]) => count === 0)).toEqual([]);
  });
});

describe('the rules of deploy/prometheus', () => {
  it('read metrics and labels that exist', () => {
    expect(alerts.length).toBeGreaterThan(30);
    expect(recordings.flatMap(({ record, expr }) => faultsOf(record, expr))).toEqual([]);
    expect(alerts.flatMap(({ alert, expr }) => faultsOf(alert, expr))).toEqual([]);
  });

  it('know each program by its job, and notice one without a replica', () => {
    const { scrape_configs } = z
      .object({ scrape_configs: z.array(z.object({ job_name: z.string() })) })
      .parse(parse(read('deploy/prometheus/prometheus.yml')));
    expect(scrape_configs.map(({ job_name }) => job_name)).toEqual(SCRAPED);
    const down = alerts.find(({ alert }) => alert === 'ServiceDown')?.expr ?? '';
    expect(/up\{job=~"([a-z|]+)"\} == 0/.exec(down)?.[1]?.split('|')).toEqual(SCRAPED);
    expect([...down.matchAll(/or absent\(up\{job="([a-z]+)"\}\)/g)].map(([, job]) => job)).toEqual(SCRAPED);
  });

  it('are each tested: quiet once, and firing once for each severity', () => {
    const cases = ruleTests.flatMap((test) => test.alert_rule_test);
    const firing = new Set(
      cases.flatMap(({ alertname, exp_alerts }) => exp_alerts.map(({ exp_labels }) => `${alertname} ${exp_labels.severity}`)),
    );
    const quiet = new Set(cases.filter(({ exp_alerts }) => exp_alerts.length === 0).map(({ alertname }) => alertname));
    expect(alerts.map(({ alert, labels }) => `${alert} ${labels.severity}`).filter((one) => !firing.has(one))).toEqual([]);
    expect(alerts.map(({ alert }) => alert).filter((alert) => !quiet.has(alert))).toEqual([]);
  });

  it('have for each objective two alerts by burn rate, each over a long window and a short one', () => {
    const objectives = [...read('docs/operate/metrics.md').matchAll(/^\| `([a-z]+-[a-z-]+)` +\|/gm)].map(([, slo = '']) => slo);
    expect(objectives.length).toBeGreaterThan(3);
    const windows = (slo: string, severity: string) =>
      alerts
        .filter(({ labels, expr }) => labels.severity === severity && expr.includes(`"${slo}"`))
        .flatMap(({ expr }) => [...expr.matchAll(/:rate(\w+)\{/g)].map(([, window]) => window));
    for (const slo of objectives) {
      expect([slo, windows(slo, 'page')]).toEqual([slo, ['1h', '5m', '6h', '30m']]);
      expect([slo, windows(slo, 'ticket')]).toEqual([slo, ['3d', '6h']]);
    }
  });

  it('were each made to fire by a drill, which docs/operate/fire-drills.md keeps with the page to read', () => {
    const drills = read('docs/operate/fire-drills.md').matchAll(/\[(\w+)\]\((.+?)\) \(`(\w+)`\) \d+ s/g);
    const kept = [...drills].map(([, alert = '', runbook = '', severity = '']) => `${alert} ${severity} docs/operate/${runbook}`);
    const wanted = alerts.map(({ alert, labels, annotations }) => `${alert} ${labels.severity} ${annotations.runbook}`);
    expect(kept.toSorted()).toEqual(wanted.toSorted());
  });

  const promtool = programOnPath('promtool');
  if (promtool !== undefined) {
    it('pass the checks and tests of the promtool of this machine', async () => {
      expect(await checkRules(promtool)).toContain('SUCCESS');
      expect(await testRules(promtool)).not.toContain('FAILED');
    });
  }
});

describe('docs/operate/runbooks/alerts', () => {
  it('has a page for each alert, named by its annotation, and no other', () => {
    expect([...new Set(alerts.map(({ annotations }) => annotations.runbook))].toSorted()).toEqual(runbooks);
    for (const { alert, labels, annotations } of alerts) {
      const page = read(annotations.runbook);
      expect(page).toMatch(new RegExp(`^# ${alert}\n\nSeverity [^.]*\`${labels.severity}\``));
      expect(page.match(/^## .+$/gm)).toEqual(['## Meaning', '## Diagnosis', '## Mitigation']);
      expect([alert, ...page.matchAll(/^```(sh|sql)$/gm)].length).toBeGreaterThan(1);
      expect([alert, ...page.matchAll(/^```promql$/gm)].length).toBeGreaterThan(1);
    }
  });

  it('asks for metrics that exist', () => {
    const queries = runbooks.flatMap((path) => blocksOf(path, 'promql').map((query) => ({ path, query })));
    expect(queries.length).toBeGreaterThan(30);
    expect(queries.flatMap(({ path, query }) => faultsOf(path, query))).toEqual([]);
  });

  it('names commands that the command line has', () => {
    const commands = new Set([...commandList().matchAll(/^- `pay ([a-z -]+?)(?: [<[].*)?`:/gm)].map(([, name]) => name));
    const named = runbooks.flatMap((path) => [
      ...blocksOf(path, 'sh').flatMap((line) => /^pay (.+)$/.exec(line)?.[1] ?? []),
      ...[...read(path).matchAll(/`pay ([^`]+)`/g)].flatMap(([, text]) => text ?? []),
    ]);
    expect(named.length).toBeGreaterThan(30);
    const isCommand = (text: string) => text.split(' ').some((_word, index, words) => commands.has(words.slice(0, index + 1).join(' ')));
    expect(named.filter((text) => !isCommand(text))).toEqual([]);
  });
});

describe('the dashboards of deploy/grafana', () => {
  it.each(dashboards)('$title: reads metrics and labels that exist, in panels that do not overlap', ({ path, panels }) => {
    const queries = panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ title, expr })));
    expect(queries.length).toBeGreaterThan(10);
    expect(queries.flatMap(({ title, expr }) => faultsOf(`${path}: ${title}`, expr))).toEqual([]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${String(x + (cell % w))} ${String(y + Math.floor(cell / w))}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });

  it('and the rules read every metric of ours', () => {
    const queries = [
      ...recordings.map(({ expr }) => expr),
      ...alerts.map(({ expr }) => expr),
      ...dashboards.flatMap(({ panels }) => panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))),
    ];
    const used = new Set(
      queries.flatMap((query) => readQuery(query).selected.map(({ metric }) => metric.replace(/_(bucket|count|sum)$/, ''))),
    );
    expect([...documented.keys()].filter((name) => !used.has(name))).toEqual([]);
  });
});
