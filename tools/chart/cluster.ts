import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseAllDocuments } from 'yaml';
import { z } from 'zod';
import { ROOT } from '../infrastructure/folders.ts';
import { programOnPath } from '../infrastructure/programs.ts';
import { buildApiServer, KUBERNETES, startApiServer, type Answer, type ApiServer } from './api-server.ts';

const Manifest = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string(), labels: z.record(z.string(), z.string()).optional() }),
});
type Manifest = z.infer<typeof Manifest>;

/** Each namespace with the files that are applied to it, as docs/deploy says. */
const NAMESPACES = {
  'pay-live': ['deploy/secrets/live.yaml', 'deploy/kubernetes/pay.yaml'],
  'pay-test': ['deploy/secrets/test.yaml', 'deploy/kubernetes/sandbox-bank.yaml'],
} as const;

const manifestsIn = (file: string): readonly Manifest[] =>
  parseAllDocuments(readFileSync(join(ROOT, file), 'utf8'))
    .filter(({ contents }) => contents !== null)
    .map((document) => Manifest.parse(document.toJS()));

const textMap = { type: 'object', additionalProperties: { type: 'string' } };
const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({ type: 'object', properties, required }); // prettier-ignore
const list = (items: object) => ({ type: 'array', items });
const text = { type: 'string' };
const vault = object({ server: text, path: text, version: text, auth: object({ kubernetes: object({ mountPath: text, role: text, serviceAccountRef: object({ name: text }) }) }) }); // prettier-ignore

/**
 * The types that others bring: with what our manifests write in them and nothing else. They are ours, not the operators'.
 */
const OTHERS = [
  {
    group: 'monitoring.coreos.com',
    version: 'v1',
    kind: 'ServiceMonitor',
    spec: object({ selector: object({ matchLabels: textMap }), jobLabel: text, endpoints: list(object({ port: text, path: text, interval: text })) }), // prettier-ignore
  },
  {
    group: 'external-secrets.io',
    version: 'v1',
    kind: 'SecretStore',
    spec: object({ provider: object({ vault }) }),
  },
  {
    group: 'external-secrets.io',
    version: 'v1',
    kind: 'ExternalSecret',
    spec: object({
      refreshInterval: text,
      secretStoreRef: object({ kind: text, name: text }),
      target: object({ name: text, template: object({ data: textMap }) }, ['name']),
      data: list(object({ secretKey: text, remoteRef: object({ key: text, property: text }) })),
    }),
  },
] as const;

const POLL_MS = 200;
const LISTED_WITHIN_MS = 30_000;
/** What is unknown is refused, and nothing that others set is taken over silently. */
const APPLY = 'fieldManager=deployer&fieldValidation=Strict';

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

/** @throws Error with the server's words */
function demand({ status, body }: Answer, what: string): Answer {
  if (status >= 300) throw new Error(`${what}: ${String(status)} ${JSON.stringify(body)}`);
  return { status, body };
}

const plural = (kind: string) => `${kind.toLowerCase()}s`;

async function addOthersTypes({ call }: ApiServer): Promise<void> {
  for (const { group, version, kind, spec } of OTHERS) {
    const names = { kind, plural: plural(kind), singular: kind.toLowerCase() };
    const schema = { openAPIV3Schema: object({ spec }) };
    const body = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `${names.plural}.${group}` },
      spec: { group, names, scope: 'Namespaced', versions: [{ name: version, served: true, storage: true, schema }] },
    };
    demand(await call('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', body), kind);
  }
}

const Resources = z.object({ resources: z.array(z.object({ name: z.string(), kind: z.string() })) });

/** The path of a manifest's type in a namespace, as the server itself lists it. */
async function pathOf({ call }: ApiServer, namespace: string, { apiVersion, kind }: Manifest): Promise<string> {
  const base = `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}`;
  // A type that was just added is listed within a second or two.
  for (const end = Date.now() + LISTED_WITHIN_MS; ;) {
    const { body } = await call('GET', base);
    const found = Resources.safeParse(body).data?.resources.find((one) => one.kind === kind && !one.name.includes('/'));
    if (found !== undefined) return `${base}/namespaces/${namespace}/${found.name}`;
    if (Date.now() > end) throw new Error(`Kubernetes ${KUBERNETES} has no ${apiVersion} ${kind}`);
    await wait(POLL_MS);
  }
}

/** A namespace as a platform gives it: for pods without rights, within a quota, with the account that its controllers make. */
async function addNamespace({ call }: ApiServer, name: string): Promise<void> {
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  demand(await call('POST', '/api/v1/namespaces', { metadata: { name, labels } }), name);
  const within = `/api/v1/namespaces/${name}`;
  demand(await call('POST', `${within}/serviceaccounts`, { metadata: { name: 'default' } }), 'default');
  const hard = { pods: '100', 'requests.cpu': '40', 'requests.memory': '40Gi', 'limits.memory': '80Gi' };
  const quota = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'quota' }, spec: { hard } };
  demand(await call('POST', `${within}/resourcequotas`, quota), 'quota');
  // A controller counts what is used: here nothing is.
  const used = { pods: '0', 'requests.cpu': '0', 'requests.memory': '0', 'limits.memory': '0' };
  const counted = { ...quota, status: { hard, used } };
  demand(await call('PATCH', `${within}/resourcequotas/quota/status?${APPLY}&force=true`, counted), 'quota');
}

const Stored = z.object({ metadata: z.object({ resourceVersion: z.string() }) });
const PodTemplate = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: z.looseObject({ containers: z.array(z.looseObject({})) }),
});
const Templated = z.object({ spec: z.object({ template: PodTemplate }) });

/** A pod as its controller would ask for it; nothing is stored. */
async function admitPod(
  { call }: ApiServer,
  namespace: string,
  { metadata, spec }: z.infer<typeof PodTemplate>,
): Promise<Answer> {
  const pod = {
    metadata: { generateName: 'pay-', labels: metadata.labels },
    spec: { restartPolicy: 'Always', ...spec },
  };
  return await call('POST', `/api/v1/namespaces/${namespace}/pods?dryRun=All&fieldValidation=Strict`, pod);
}

/** Applies the files of a namespace: first on trial, then really, then once more, which changes nothing. */
async function applyAll(server: ApiServer, namespace: string, files: readonly string[]): Promise<string> {
  const manifests = files.flatMap(manifestsIn);
  const kinds = new Map<string, number>();
  let pods = 0;
  for (const manifest of manifests) {
    const { kind, metadata } = manifest;
    const path = `${await pathOf(server, namespace, manifest)}/${metadata.name}?${APPLY}`;
    const what = `${kind} ${metadata.name}`;
    demand(await server.call('PATCH', `${path}&dryRun=All`, manifest), `${what}, on trial`);
    const first = Stored.parse(demand(await server.call('PATCH', path, manifest), what).body);
    const again = Stored.parse(demand(await server.call('PATCH', path, manifest), `${what}, again`).body);
    if (again.metadata.resourceVersion !== first.metadata.resourceVersion)
      throw new Error(`${what} is changed each time`);
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    const templated = Templated.safeParse(manifest).data;
    if (templated === undefined) continue;
    demand(await admitPod(server, namespace, templated.spec.template), `a pod of ${what}`);
    pods += 1;
  }
  const counted = [...kinds].map(([kind, count]) => `${kind} ×${String(count)}`).join(', ');
  return `${namespace}: ${counted}; pods of ${String(pods)} templates admitted`;
}

/** What must be refused is: else nothing above says anything. */
async function checkRefusals(server: ApiServer): Promise<void> {
  const [gateway] = manifestsIn('deploy/kubernetes/pay.yaml').flatMap(
    (one) => Templated.safeParse(one).data?.spec.template ?? [],
  );
  if (gateway === undefined) throw new Error('there is no Deployment');
  const [container] = gateway.spec.containers;
  const refused: readonly (readonly [string, z.infer<typeof PodTemplate>['spec'], string])[] = [
    ['a pod that may be root', { ...gateway.spec, securityContext: {} }, 'violates PodSecurity'],
    ['a pod that asks for no memory', { ...gateway.spec, containers: [{ ...container, resources: {} }] }, 'must specify'], // prettier-ignore
    ['a pod with a field that is unknown', { ...gateway.spec, replicas: 2 }, 'unknown field'],
  ];
  for (const [what, spec, reason] of refused) {
    const { status, body } = await admitPod(server, 'pay-live', { ...gateway, spec });
    const words = JSON.stringify(body);
    if (status < 400 || !words.includes(reason)) throw new Error(`${what}: ${String(status)} ${words}`);
  }
  say(`refused: ${refused.map(([what]) => what).join(', ')}`);
}

const Review = z.object({ status: z.object({ allowed: z.boolean() }) });

/** No account of the chart may do anything: programs do not talk to Kubernetes. */
async function checkAccounts({ call }: ApiServer): Promise<void> {
  const accounts = manifestsIn('deploy/kubernetes/pay.yaml').filter(({ kind }) => kind === 'ServiceAccount');
  for (const { metadata } of accounts) {
    const user = `system:serviceaccount:pay-live:${metadata.name}`;
    for (const [verb, resource] of [
      ['get', 'secrets'],
      ['list', 'pods'],
      ['create', 'pods'],
    ]) {
      // prettier-ignore
      const spec = { user, resourceAttributes: { namespace: 'pay-live', verb, resource } };
      const { body } = demand(await call('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec }), user);
      if (Review.parse(body).status.allowed) throw new Error(`${user} may ${String(verb)} ${String(resource)}`);
    }
  }
  say(`${String(accounts.length)} accounts without rights`);
}

/**
 * `npm run test:chart -- --cluster`: gives all manifests to a real API server, to which pods without rights only are admitted. Without Go
 * it says that it did not.
 */
export async function applyToCluster(): Promise<void> {
  const go = programOnPath('go');
  if (go === undefined) {
    say('SKIPPED: the API server is built with Go, which is not on the path');
    return;
  }
  // So that both servers end with this process.
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => process.exit(130));
  await buildApiServer(go, say);
  const server = await startApiServer();
  try {
    say(`Kubernetes ${KUBERNETES}: an API server`);
    await addOthersTypes(server);
    for (const [namespace, files] of Object.entries(NAMESPACES)) {
      await addNamespace(server, namespace);
      say(await applyAll(server, namespace, files));
    }
    await checkRefusals(server);
    await checkAccounts(server);
  } finally {
    await server.stop();
  }
}
