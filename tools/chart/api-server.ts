import { spawn, type ChildProcess } from 'node:child_process';
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { isExecutable } from '../infrastructure/programs.ts';
import { LOCAL } from '../infrastructure/folders.ts';
import { freePorts } from '../infrastructure/ports.ts';
import { execute, tail } from '../infrastructure/processes.ts';

/** The newest Kubernetes that is a Go module, and the etcd that it is built with. */
export const KUBERNETES = '1.37.2';
const ETCD = '3.7.0';
const BUILT = join(LOCAL, `kubernetes-${KUBERNETES}`);
const PROGRAMS = {
  server: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
} as const;
const START_MS = 180_000;
const CALL_MS = 30_000;
const POLL_MS = 200;

export type Answer = { readonly status: number; readonly body: unknown };

/** An API server of Kubernetes without nodes and controllers: it admits, defaults and stores, and nothing runs. */
export type ApiServer = {
  readonly call: (method: 'GET' | 'POST' | 'PATCH', path: string, body?: unknown) => Promise<Answer>;
  readonly stop: () => Promise<void>;
};

const Module = z.object({ Dir: z.string() });

/**
 * Builds etcd and the API server from their Go modules, unless they are there: about ten minutes of processor time. Nothing of them is in
 * this repository but their version.
 */
export async function buildApiServer(go: string, log: (line: string) => void): Promise<void> {
  const missing = Object.entries(PROGRAMS).filter(([name]) => !isExecutable(join(BUILT, name)));
  if (missing.length === 0) return;
  log(`building Kubernetes ${KUBERNETES}: about ten minutes of processor time, once`);
  mkdirSync(BUILT, { recursive: true });
  const run = async (...args: readonly string[]) =>
    (await execute(go, [...args], { cwd: BUILT, maxBuffer: 64 * 1024 * 1024 })).stdout;
  // The parts of Kubernetes are modules of their own, which it finds beside itself: outside of its tree they are named.
  const { Dir } = Module.parse(JSON.parse(await run('mod', 'download', '-json', `k8s.io/kubernetes@v${KUBERNETES}`)));
  const parts = [...readFileSync(join(Dir, 'go.mod'), 'utf8').matchAll(/^\t?(\S+) => \.\/staging\//gm)].map(([, name = '']) => name); // prettier-ignore
  const ofParts = `v${KUBERNETES.replace(/^1/, '0')}`;
  const lines = [
    'module cluster',
    `go ${/^go (\S+)$/m.exec(readFileSync(join(Dir, 'go.mod'), 'utf8'))?.[1] ?? ''}`,
    `require k8s.io/kubernetes v${KUBERNETES}`,
    `require go.etcd.io/etcd/server/v3 v${ETCD}`,
    ...parts.map((name) => `replace ${name} => ${name} ${ofParts}`),
  ];
  writeFileSync(join(BUILT, 'go.mod'), `${lines.join('\n')}\n`);
  const imports = Object.values(PROGRAMS).map((path) => `import _ "${path}"`);
  writeFileSync(join(BUILT, 'programs.go'), `//go:build programs\n\npackage cluster\n\n${imports.join('\n')}\n`);
  await run('mod', 'tidy');
  const version = `-s -w -X k8s.io/component-base/version.gitVersion=v${KUBERNETES}`;
  for (const [name, path] of missing) await run('build', '-trimpath', `-ldflags=${version}`, '-o', name, path);
}

/** Starts both on free ports of the loopback. @throws Error with the end of a log if one does not become ready */
export async function startApiServer(): Promise<ApiServer> {
  const folder = join(LOCAL, `api-server-${String(process.pid)}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = (name: string) => join(folder, name);
  const ports = await freePorts(['client', 'peer', 'secure']);
  const [client, peer] = [ports.client, ports.peer].map((port) => `http://127.0.0.1:${String(port)}`);
  const running: ChildProcess[] = [];
  const start = (name: keyof typeof PROGRAMS, args: readonly string[]) => {
    const log = openSync(file(`${name}.log`), 'w');
    running.push(spawn(join(BUILT, name), args, { stdio: ['ignore', log, log] }));
  };
  const killed = () => {
    for (const child of running) child.kill('SIGKILL');
  };
  process.once('exit', killed);
  const stop = async () => {
    for (const child of running.toReversed()) {
      const closed = once(child, 'close');
      if (child.kill('SIGTERM')) await closed;
    }
    process.removeListener('exit', killed);
    rmSync(folder, { recursive: true, force: true });
  };
  start('server', [
    '--name=etcd',
    `--data-dir=${file('etcd')}`,
    `--listen-client-urls=${client ?? ''}`,
    `--advertise-client-urls=${client ?? ''}`,
    `--listen-peer-urls=${peer ?? ''}`,
    `--initial-advertise-peer-urls=${peer ?? ''}`,
    `--initial-cluster=etcd=${peer ?? ''}`,
    '--unsafe-no-fsync',
  ]);
  const token = randomBytes(24).toString('hex');
  writeFileSync(file('tokens.csv'), `${token},deployer,deployer,system:masters\n`, { mode: 0o600 });
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  writeFileSync(file('accounts.key'), privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  writeFileSync(file('accounts.pub'), publicKey.export({ format: 'pem', type: 'spki' }));
  start('kube-apiserver', [
    `--etcd-servers=${client ?? ''}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    '--endpoint-reconciler-type=none',
    `--secure-port=${String(ports.secure)}`,
    `--cert-dir=${folder}`,
    `--token-auth-file=${file('tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.96.0.0/16',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${file('accounts.pub')}`,
    `--service-account-signing-key-file=${file('accounts.key')}`,
  ]);
  const call: ApiServer['call'] = async (method, path, body) => {
    const sent = request({
      host: '127.0.0.1',
      port: ports.secure,
      // It made the certificate itself when it started.
      ca: readFileSync(file('apiserver.crt')),
      method,
      path,
      signal: AbortSignal.timeout(CALL_MS),
      headers: {
        authorization: `Bearer ${token}`,
        // JSON is YAML.
        'content-type': method === 'PATCH' ? 'application/apply-patch+yaml' : 'application/json',
      },
    });
    const answered = once(sent, 'response');
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    const [response] = z.tuple([z.instanceof(IncomingMessage)]).parse(await answered);
    const answer = await text(response);
    const isJson = response.headers['content-type']?.startsWith('application/json') === true;
    return { status: response.statusCode ?? 0, body: isJson ? JSON.parse(answer) : answer };
  };
  const isReady = async () => existsSync(file('apiserver.crt')) && (await call('GET', '/readyz').catch(() => undefined))?.status === 200; // prettier-ignore
  for (const end = Date.now() + START_MS; !(await isReady());) {
    await wait(POLL_MS);
    if (running.every(({ exitCode }) => exitCode === null) && Date.now() < end) continue;
    const logs = (['server', 'kube-apiserver'] as const).map((name) => tail(file(`${name}.log`)));
    await stop();
    throw new Error(`the API server did not start:\n${logs.join('\n')}`);
  }
  return { call, stop };
}
