import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { maskedConfig } from '../../packages/shared/src/config/config.ts';
import { QUIET_MS, QUIET_WITHIN_MS } from '../../packages/shared/src/http/server.ts';
import { DRAIN_MS, STOP_MS } from '../../packages/shared/src/service/process-life.ts';
import { ROOT } from '../infrastructure/folders.ts';
import { allDocumentedMetrics } from '../monitoring/metrics-page.ts';
import { PROGRAMS } from './programs.ts';

/** Those with a schema of their own. */
const MIGRATED = ['gateway', 'payments', 'bindings', 'withdrawals', 'notifier', 'console'];

const text = z.string();
const labels = z.record(text, text);
const container = z.object({
  image: text,
  command: z.array(text).optional(),
  ports: z.array(z.object({ name: text, containerPort: z.int() })).optional(),
  envFrom: z.array(z.record(text, z.object({ name: text }))),
  securityContext: z.object({
    allowPrivilegeEscalation: z.literal(false),
    readOnlyRootFilesystem: z.literal(true),
    capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }),
  }),
  readinessProbe: z.object({ httpGet: z.object({ path: text, port: text }) }).optional(),
  livenessProbe: z.object({ httpGet: z.object({ path: text, port: text }) }).optional(),
  lifecycle: z.object({ preStop: z.object({ exec: z.object({ command: z.tuple([z.literal('sleep'), text]) }) }) }).optional(),
});
const podTemplate = (() => {
  const spec = z.object({
    automountServiceAccountToken: z.literal(false),
    terminationGracePeriodSeconds: z.int().optional(),
    securityContext: z.object({ runAsNonRoot: z.literal(true), seccompProfile: z.object({ type: z.literal('RuntimeDefault') }) }),
    containers: z.tuple([container]),
  });
  return z.object({ metadata: z.object({ labels }), spec });
})();
const peer = z.object({ podSelector: z.object({ matchLabels: labels }).optional() });
const rule = z.object({
  from: z.array(peer).optional(),
  to: z.array(peer).optional(),
  ports: z.array(z.object({ port: z.union([text, z.int()]) })),
});
const metric = z.object({ metric: z.object({ name: text }) }).optional();
const scaledBy = z.object({ resource: z.object({ name: text }).optional(), pods: metric, external: metric });
const backend = z.object({ service: z.object({ name: text, port: z.object({ name: text }) }) });
const way = z.object({ http: z.object({ paths: z.tuple([z.object({ backend })]) }) });
const Manifest = (() => {
  const spec = z
    .object({
      template: podTemplate.optional(),
      // An Ingress has other rules.
      ingress: z.array(rule).optional().catch(undefined),
      egress: z.array(rule).optional(),
      metrics: z.array(scaledBy).optional(),
      ports: z
        .array(z.object({ name: text, port: z.int(), targetPort: text }))
        .optional()
        .catch(undefined),
      rules: z.array(way).optional().catch(undefined),
    })
    .optional();
  return z.object({
    kind: text,
    metadata: z.object({ name: text, annotations: labels.optional() }),
    data: z.record(text, text).optional(),
    spec,
  });
})();
type Manifest = z.infer<typeof Manifest>;

const manifests = parseAllDocuments(readFileSync(join(ROOT, 'deploy/kubernetes/pay.yaml'), 'utf8'))
  .filter(({ contents }) => contents !== null)
  .map((document) => Manifest.parse(document.toJS()));
const namesOf = (kind: string) => manifests.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name);
const find = (kind: string, name: string): Manifest => {
  const found = manifests.find((one) => one.kind === kind && one.metadata.name === name);
  if (found === undefined) throw new Error(`there is no ${kind} ${name}`);
  return found;
};
const PER_PROGRAM = [
  'Deployment',
  'Service',
  'ServiceAccount',
  'ConfigMap',
  'PodDisruptionBudget',
  'HorizontalPodAutoscaler',
  'NetworkPolicy',
  'ServiceMonitor',
];

describe('deploy/kubernetes/pay.yaml', () => {
  it.each(PER_PROGRAM)('has a %s for each program', (kind) => {
    expect(namesOf(kind).toSorted()).toEqual(
      Object.keys(PROGRAMS)
        .map((name) => `pay-${name}`)
        .toSorted(),
    );
  });

  it('migrates each schema before the programs, and publishes four of them and the listener for banks', () => {
    expect(namesOf('Job').toSorted()).toEqual(MIGRATED.map((name) => `pay-${name}-migrate`).toSorted());
    const commands = MIGRATED.map((name) => find('Job', `pay-${name}-migrate`).spec?.template?.spec.containers[0].command?.at(-1));
    expect(commands).toEqual(MIGRATED.map((name) => `services/${name}/src/migrate.ts`));
    expect(namesOf('Ingress').toSorted()).toEqual(['pay-api', 'pay-bank', 'pay-checkout', 'pay-console', 'pay-portal']);
  });

  it.each(Object.entries(PROGRAMS))('%s: runs its own image without rights, and is asked for its health', (name) => {
    // That it has no rights: the schema above takes nothing else.
    const [own] = find('Deployment', `pay-${name}`).spec?.template?.spec.containers ?? [];
    expect(own?.image).toMatch(new RegExp(`/?pay-${name}:`));
    expect(own?.livenessProbe?.httpGet).toEqual({ path: '/healthz', port: 'private' });
    expect(own?.readinessProbe?.httpGet).toEqual({ path: '/readyz', port: 'private' });
    const secret = name === 'portal' ? [] : [{ secretRef: { name: `pay-${name}` } }];
    expect(own?.envFrom).toEqual([{ configMapRef: { name: `pay-${name}` } }, ...secret]);
  });

  it.each(Object.entries(PROGRAMS))('%s: has every variable that it needs, none that it does not know, and no secret', (name, config) => {
    const given = Object.keys(find('ConfigMap', `pay-${name}`).data ?? {});
    const rules = Object.entries(config.shape).map(([variable, shape]) => ({
      variable,
      isRequired: !z.safeParse(shape, undefined).success,
      isSecret: maskedConfig(config, { [variable]: 'x' })[variable] === '***',
    }));
    expect(given.filter((variable) => !rules.some((one) => one.variable === variable && !one.isSecret))).toEqual([]);
    // A key's name is changed together with the key: it is in the Secret.
    const needed = rules.filter(({ variable, isRequired, isSecret }) => isRequired && !isSecret && variable !== 'ENCRYPTION_KEY_ID');
    expect(needed.map(({ variable }) => variable).filter((variable) => !given.includes(variable))).toEqual([]);
  });

  it.each(Object.entries(PROGRAMS))(
    '%s: each listener that it can have is there, in its Service, and let in by its policy (N8)',
    (name, config) => {
      const settings = find('ConfigMap', `pay-${name}`).data ?? {};
      const expected = Object.keys(config.shape)
        .filter((variable) => /(^|_)PORT$/.test(variable))
        .map((variable) => Number(settings[variable]));
      const own = find('Deployment', `pay-${name}`).spec?.template?.spec.containers[0].ports ?? [];
      expect(own.map(({ containerPort }) => containerPort).toSorted()).toEqual(expected.toSorted());
      const named = own.map((one) => ({ name: one.name, port: one.containerPort, targetPort: one.name }));
      expect(find('Service', `pay-${name}`).spec?.ports).toEqual(named);
      const letIn = find('NetworkPolicy', `pay-${name}`).spec?.ingress?.flatMap(({ ports }) => ports.map(({ port }) => port));
      expect(new Set(letIn)).toEqual(new Set(own.map((one) => one.name)));
    },
  );

  it('leads each public host to the listener that is for it, and banks from their networks only (N8)', () => {
    const leads = ['api', 'bank', 'checkout', 'console', 'portal'].map((host) => {
      const { metadata, spec } = find('Ingress', `pay-${host}`);
      const { service } = spec?.rules?.[0]?.http.paths[0]?.backend ?? {};
      return [host, service?.name, service?.port.name, Object.values(metadata.annotations ?? {})];
    });
    expect(leads).toEqual([
      ['api', 'pay-gateway', 'api', []],
      ['bank', 'pay-payments', 'bank', ['192.0.2.0/24,198.51.100.0/24']],
      ['checkout', 'pay-checkout', 'api', []],
      ['console', 'pay-console', 'api', []],
      ['portal', 'pay-portal', 'api', []],
    ]);
  });

  it.each(Object.keys(PROGRAMS))('%s: has the time that a replica that goes needs; deploy/README.md says how much', (name) => {
    const pod = find('Deployment', `pay-${name}`).spec?.template?.spec;
    const waitSeconds = Number(pod?.containers[0].lifecycle?.preStop.exec.command[1]);
    const graceSeconds = pod?.terminationGracePeriodSeconds ?? 0;
    const after = (milliseconds: number) => waitSeconds + milliseconds / 1_000;
    expect(graceSeconds).toBeGreaterThan(after(STOP_MS));
    const page = readFileSync(join(ROOT, 'deploy/README.md'), 'utf8');
    const rows = [...page.matchAll(/^\| ([^|]*?) +\| ([^|]*?) +\|$/gm)].map(([, moment = '', what = '']) => ({ moment, what }));
    const rowOf = (moment: string) => rows.find((row) => row.moment === moment)?.what ?? `no row ${moment}`;
    expect(rowOf(`0 to ${String(waitSeconds)}`)).toContain('preStop');
    expect(rowOf(String(waitSeconds))).toContain('SIGTERM');
    expect(rowOf(String(after(QUIET_MS)))).toContain(`at ${String(after(QUIET_WITHIN_MS))} in any case`);
    expect(rowOf(`up to ${String(after(DRAIN_MS))}`)).toContain('running requests finish');
    expect(rowOf(String(after(STOP_MS)))).toContain(`${String(STOP_MS / 1_000)} s after SIGTERM`);
    expect(rowOf(String(graceSeconds))).toContain('SIGKILL');
  });

  it('scales by metrics that deploy/prometheus/adapter.yml makes of documented ones, and by the processor without them', () => {
    const Rules = z.array(z.object({ seriesQuery: text, name: z.object({ as: text }), metricsQuery: text }));
    const { rules, externalRules } = z
      .object({ rules: Rules, externalRules: Rules })
      .parse(parse(readFileSync(join(ROOT, 'deploy/prometheus/adapter.yml'), 'utf8')));
    const documented = allDocumentedMetrics();
    const read = [...rules, ...externalRules].flatMap(({ seriesQuery, metricsQuery }) =>
      [...`${seriesQuery} ${metricsQuery}`.matchAll(/(\w+)_(?:sum|count)\{/g)].map(([, name = '']) => name),
    );
    expect(read.length).toBeGreaterThan(3);
    expect(read.filter((name) => documented.get(name)?.type !== 'histogram')).toEqual([]);
    const [pods, external] = [rules, externalRules].map((made) => made.map(({ name }) => name.as));
    const wanted = Object.fromEntries(
      Object.keys(PROGRAMS).map((name) => {
        const metrics = find('HorizontalPodAutoscaler', `pay-${name}`).spec?.metrics ?? [];
        return [name, metrics.flatMap((one) => one.resource?.name ?? one.pods?.metric.name ?? one.external?.metric.name ?? [])];
      }),
    );
    const [inFlight, lag] = [
      ['cpu', ...(pods ?? [])],
      ['cpu', ...(external ?? [])],
    ];
    const byProcessor = { bindings: ['cpu'], withdrawals: ['cpu'], console: ['cpu'], portal: ['cpu'] };
    expect(wanted).toEqual({
      ...byProcessor,
      gateway: inFlight,
      payments: inFlight,
      checkout: inFlight,
      notifier: lag,
    });
  });

  it('lets a program be called by exactly those that may call it, and lets these out', () => {
    const component = 'app.kubernetes.io/component';
    const ways = (side: 'from' | 'to') =>
      Object.keys(PROGRAMS).flatMap((name) => {
        const { ingress = [], egress = [] } = find('NetworkPolicy', `pay-${name}`).spec ?? {};
        return (side === 'from' ? ingress : egress).flatMap((one) =>
          (one[side] ?? []).flatMap(({ podSelector }) => {
            const other = podSelector?.matchLabels[component];
            if (other === undefined) return [];
            const [caller, called] = side === 'from' ? [other, name] : [name, other];
            return [`${caller} -> ${called} ${String(one.ports[0]?.port)}`];
          }),
        );
      });
    const expected = Object.keys(PROGRAMS).flatMap((name) =>
      Object.entries(find('ConfigMap', `pay-${name}`).data ?? {}).flatMap(([variable, value]) => {
        const [, called, port] = /^http:\/\/pay-([a-z]+):(\d+)$/.exec(value) ?? [];
        return called === undefined || !variable.endsWith('_URL') ? [] : [`${name} -> ${called} ${port === '9090' ? 'private' : 'api'}`];
      }),
    );
    expect(expected.length).toBeGreaterThan(10);
    expect(ways('to').toSorted()).toEqual(expected.toSorted());
    expect(ways('from').toSorted()).toEqual(expected.toSorted());
  });
});
