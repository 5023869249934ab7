import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ROOT } from '../infrastructure/folders.ts';
import { heapOptions } from '../infrastructure/heap.ts';

/** Longer than any process of this system needs to start on a busy machine. */
const START_DEADLINE_MS = 240_000;
const POLL_MS = 50;
const LOG_LINES_MAX = 2_000;

/** The compile cache that `npm` commands keep: it halves the time that a process of ours takes to start. */
export const COMPILE_CACHE = { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '' } as const;

const pathOf = (service: string, file: string): string => fileURLToPath(new URL(`../../services/${service}/src/${file}`, import.meta.url));

/** One line of a service's log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A service running as a real process. */
export type ServiceProcess = {
  readonly pid: number;
  /** Base URL of a listener by its name in the log: `api`, `private`, `form`. */
  urlOf(listener: string): string;
  /** Its log, oldest first, at most the last 2000 lines. */
  readonly log: readonly LogLine[];
  /** `ready`, or what /readyz reports as missing. */
  readiness(): Promise<readonly string[]>;
  /** Sends SIGTERM and waits for the end. Returns the exit code; null if a signal ended it. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL and waits for the end. */
  kill(): Promise<void>;
};

/**
 * Migrates a service's schema with its own command.
 * @throws Error with its output if it fails
 */
export async function migrateService(service: string, databaseUrl: string, environment: 'TEST' | 'LIVE' = 'TEST'): Promise<void> {
  const child = spawn(process.execPath, [pathOf(service, 'migrate.ts')], {
    env: { ...COMPILE_CACHE, ENVIRONMENT: environment, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let written = '';
  child.stderr.on('data', (chunk: Buffer) => (written += chunk.toString()));
  await once(child, 'close');
  if (child.exitCode !== 0) throw new Error(`${service}: migrate ended with ${String(child.exitCode)}: ${written}`);
}

/**
 * Starts a service on free ports and returns once /readyz reports that it is ready. `env` is its whole configuration
 * except the ports; `main` is the file of its program.
 * @throws Error with its exit status and last lines if it exits before that, or is not ready in time
 */
export async function startService(service: string, env: Readonly<Record<string, string>>, main = 'main.ts'): Promise<ServiceProcess> {
  const command = [process.execPath, ...heapOptions(service), pathOf(service, main)];
  // LIVE refuses to start any other way.
  if (env['ENVIRONMENT'] === 'LIVE') command.unshift(join(ROOT, 'tools/hardened.sh'));
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: { ...COMPILE_CACHE, PORT: '0', PRIVATE_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const log: LogLine[] = [];
  const ports = new Map<string, number>();
  let written = '';
  child.stderr.on('data', (chunk: Buffer) => (written = `${written}${chunk.toString()}`.slice(-4_000)));
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = parseLine(text);
    log.push(line);
    if (log.length > LOG_LINES_MAX) log.shift();
    const { msg, listener, port } = line;
    if (msg === 'listening' && typeof listener === 'string' && typeof port === 'number') ports.set(listener, port);
  });

  const started: ServiceProcess = {
    pid: child.pid ?? 0,
    log,
    urlOf(listener) {
      const port = ports.get(listener);
      if (port === undefined) throw new Error(`${service} has no listener ${listener}`);
      return `http://127.0.0.1:${String(port)}`;
    },
    async readiness() {
      const response = await fetch(`${started.urlOf('private')}/readyz`);
      const body: unknown = await response.json();
      const missing = typeof body === 'object' && body !== null && 'missing' in body ? body.missing : undefined;
      if (!Array.isArray(missing)) throw new Error('/readyz does not say what is missing');
      return missing.map(String);
    },
    async stop() {
      child.kill('SIGTERM');
      await closed;
      return child.exitCode;
    },
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
  };
  const deadline = AbortSignal.timeout(START_DEADLINE_MS);
  // The API listens last: a service without it is still starting, even if its private port reports ready.
  while (!ports.has('api') || (await started.readiness()).length > 0) {
    if (child.exitCode !== null || deadline.aborted) {
      const fault = child.exitCode === null ? 'did not become ready' : `ended with ${String(child.exitCode)}`;
      await started.kill();
      throw new Error(
        `${service} ${fault}: ${written}\n${log
          .slice(-20)
          .map((line) => JSON.stringify(line))
          .join('\n')}`,
      );
    }
    await wait(POLL_MS);
  }
  return started;
}

function parseLine(text: string): LogLine {
  try {
    const line: unknown = JSON.parse(text);
    return typeof line === 'object' && line !== null ? { ...line } : { text };
  } catch {
    return { text };
  }
}

/** The request of `requestAcrossStop`, a POST. */
export const HALVED = { target: '/nowhere', body: '{"sent":"in two halves"}' } as const;

/**
 * Shows that a shutdown drops no request: half a request has been sent when SIGTERM arrives, the service reports that it
 * drains, then the other half follows. Returns the client's response and how the process ended.
 * @throws Error if half the request was enough for a response: then no request was in progress
 */
export async function requestAcrossStop(
  service: ServiceProcess,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ statusLine: string; exitCode: number | null }> {
  const { target, body } = HALVED;
  const { hostname, port } = new URL(service.urlOf('api'));
  const socket = connect({ host: hostname, port: Number(port) });
  await once(socket, 'connect');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  const answered = once(socket, 'close');
  const lines = Object.entries({
    ...headers,
    'Content-Type': 'application/json',
    'Content-Length': String(body.length),
  });
  socket.write(
    `POST ${target} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nExpect: 100-continue\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body.slice(0, 5)}`,
  );
  // "100 Continue" means that the server has read the headers: from here on this is a request in progress.
  await once(socket, 'data');
  const ended = service.stop();
  const deadline = AbortSignal.timeout(START_DEADLINE_MS);
  while (!(await service.readiness()).includes('draining')) {
    if (deadline.aborted) throw new Error('the service does not report that it drains');
    await wait(POLL_MS);
  }
  const statusLineOf = () => answer.split('\r\n').find((line) => /^HTTP\/1\.1 (?!100)/.test(line));
  if (statusLineOf() !== undefined) throw new Error(`half a request was answered: ${answer}`);
  socket.write(body.slice(5));
  await answered;
  const statusLine = statusLineOf() ?? '';
  return { statusLine, exitCode: await ended };
}
