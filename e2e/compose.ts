import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { POSTGRES_IMAGE, RABBITMQ_IMAGE } from '../tools/infrastructure/containers.ts';
import { ROOT } from '../tools/infrastructure/folders.ts';
import { freePorts } from '../tools/infrastructure/ports.ts';
import type { ReceivedCallback } from '../tools/system/demo-receiver.ts';

const run = promisify(execFile);
/** What every image of ours begins with. */
export const NODE_IMAGE = 'node:24-trixie-slim';
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const DOWN_TRIES_MAX = 10;
const DOWN_PAUSE_MS = 1_000;

/** The parts of a container's `docker inspect` that tests use. */
export type Container = {
  readonly Id: string;
  readonly Name: string;
  readonly State: { readonly Running: boolean; readonly Pid: number };
  readonly Config: { readonly User: string; readonly Labels: Readonly<Record<string, string>> };
  readonly HostConfig: {
    readonly Memory: number;
    readonly PidsLimit: number | null;
    readonly NanoCpus: number;
    readonly ReadonlyRootfs: boolean;
    readonly CapDrop: readonly string[] | null;
  };
  readonly NetworkSettings: {
    readonly Ports: Readonly<Record<string, readonly { HostIp: string; HostPort: string }[] | null>>;
  };
};

/** The parts of an image's `docker inspect` that tests use. */
export type Image = {
  readonly RepoTags: readonly string[];
  /** In bytes. */
  readonly Size: number;
  readonly Config: {
    readonly User: string;
    readonly Labels: Readonly<Record<string, string>> | null;
    readonly Healthcheck?: { readonly Test: readonly string[] };
  };
};

/** Its service in the compose file, and its replica number. */
export const serviceOf = ({ Config }: Container) => Config.Labels['com.docker.compose.service'] ?? '';
export const replicaOf = ({ Config }: Container) => Number(Config.Labels['com.docker.compose.container-number']);

/** Runs a docker command. */
export async function docker(...args: readonly string[]): Promise<string> {
  return (await run('docker', [...args], { maxBuffer: OUTPUT_BYTES_MAX })).stdout;
}

/** The system of the compose file under its own project name and ports. */
export async function composeSystem() {
  const ports = await freePorts([
    'PAY_API_PORT',
    'PAY_FORM_PORT',
    'PAY_CONSOLE_PORT',
    'PAY_PORTAL_PORT',
    'PAY_BANK_PORT',
    'PAY_BANK_CONTROL_PORT',
  ]);
  const env = {
    ...process.env,
    // What the machine has; the file's own defaults are exact versions.
    PAY_NODE_IMAGE: NODE_IMAGE,
    PAY_VERSION: '0.0.0-test',
    PAY_COMMIT: 'tested',
    PAY_POSTGRES_IMAGE: POSTGRES_IMAGE,
    PAY_RABBITMQ_IMAGE: RABBITMQ_IMAGE,
    COMPOSE_PROJECT_NAME: `pay-test-${String(process.pid)}`,
    ...Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
  };
  const compose = async (...args: readonly string[]): Promise<string> =>
    (await run('docker', ['compose', ...args], { cwd: ROOT, env, maxBuffer: OUTPUT_BYTES_MAX })).stdout;
  /** Stops and removes the containers. The engine may detach one after it removed it, and refuses to remove the network until then. */
  const down = async (...args: readonly string[]): Promise<void> => {
    for (let tries = 1; ; tries += 1) {
      try {
        await compose(...args);
        return;
      } catch (error) {
        if (tries === DOWN_TRIES_MAX || !String(error).includes('has active endpoints')) throw error;
        await wait(DOWN_PAUSE_MS);
      }
    }
  };
  /** Runs a script with Node in a container of a service, and returns its output. */
  const script = (service: string, text: string): Promise<string> =>
    compose('exec', '--no-TTY', service, 'node', '--input-type=module', '-e', text);
  return {
    ports,
    compose,
    script,
    /** All containers, including exited ones. */
    async containers(): Promise<readonly Container[]> {
      const ids = (await compose('ps', '--all', '--quiet')).trim().split('\n');
      return JSON.parse(await docker('inspect', ...ids)) as Container[];
    },
    /**
     * The callbacks that the demo partner received for each of these, oldest first, once the last named type has
     * arrived. Read inside the receiver's container, because its port is not published.
     */
    async told(awaited: Readonly<Record<string, string>>): Promise<readonly ReceivedCallback[]> {
      const text = `
        const awaited = Object.entries(${JSON.stringify(awaited)});
        for (const end = Date.now() + 240000; Date.now() < end; await new Promise((done) => setTimeout(done, 100))) {
          const received = await (await fetch('http://127.0.0.1:8080/callbacks.json')).json();
          if (!awaited.every(([id, type]) => received.some((one) => one.type === type && one.body.includes(id)))) continue;
          console.log(JSON.stringify(received.reverse()));
          process.exit(0);
        }
        process.exit(1);`;
      return JSON.parse(await script('demo-receiver', text)) as ReceivedCallback[];
    },
    /** Removes everything, including data and keys. */
    down: () => down('down'),
    remove: () => down('--profile', 'demo', 'down', '--volumes', '--remove-orphans', '--timeout', '10'),
  };
}
export type ComposeSystem = Awaited<ReturnType<typeof composeSystem>>;

/** An operator at the console without a browser: its API, with its cookies. */
export function atConsole(consoleUrl: string) {
  const cookies = new Map<string, string>();
  return async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<{ status: number; text: string }> => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(`${consoleUrl}${path}`, {
      method,
      headers: { origin: consoleUrl, cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const header of answer.headers.getSetCookie()) {
      const [pair = ''] = header.split(';');
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    return { status: answer.status, text: await answer.text() };
  };
}
export type AtConsole = ReturnType<typeof atConsole>;
