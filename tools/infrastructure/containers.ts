import { folderId } from './files.ts';
import { freePorts } from './ports.ts';
import { answers } from './postgres.ts';
import { execute, waitFor } from './processes.ts';
import { brokerAnswers, NO_BUSY_WAIT } from './rabbitmq.ts';

export const POSTGRES_IMAGE = 'postgres:17';
export const RABBITMQ_IMAGE = 'rabbitmq:4-management';
const USER = 'pay_admin';
const LABEL = 'pay.infrastructure';

/** Why PostgreSQL and RabbitMQ can't run as containers here; undefined if they can. Pulls missing images. */
export async function containersProblem(): Promise<string | undefined> {
  if (!(await succeeds(['info'], 10_000))) return 'no Docker engine answers';
  for (const image of [POSTGRES_IMAGE, RABBITMQ_IMAGE]) {
    const isThere = (await succeeds(['image', 'inspect', image], 10_000)) || (await succeeds(['pull', image], 300_000));
    if (!isThere) return `the Docker engine has no image ${image} and can't fetch it`;
  }
  return undefined;
}

async function succeeds(args: string[], timeout: number): Promise<boolean> {
  try {
    await execute('docker', args, { timeout });
    return true;
  } catch {
    return false;
  }
}

type Options = {
  readonly folder: string;
  readonly password: string;
  readonly ports: Partial<Record<'postgres' | 'amqp' | 'management', number>>;
  /** If false, the database writes without fsync. */
  readonly durable: boolean;
};

type Containers = {
  readonly databaseUrl: string;
  readonly amqpUrl: string;
  readonly managementUrl: string;
  readonly ports: Record<'postgres' | 'amqp' | 'management', number>;
  readonly containers: string[];
};

/**
 * Runs PostgreSQL and RabbitMQ as containers, published on loopback only, with their data in volumes. Names and label
 * contain the folder's id, so other checkouts' containers are never touched.
 */
export async function startContainers(options: Options): Promise<Containers> {
  const id = folderId(options.folder);
  const ports = await freePorts(['postgres', 'amqp', 'management'], options.ports);
  const postgres = `pay-${id}-postgres`;
  const rabbit = `pay-${id}-rabbitmq`;
  // Passed by name: a value on the command line could be read by everybody on the machine.
  const env = {
    ...process.env,
    POSTGRES_USER: USER,
    POSTGRES_PASSWORD: options.password,
    RABBITMQ_DEFAULT_USER: USER,
    RABBITMQ_DEFAULT_PASS: options.password,
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: NO_BUSY_WAIT,
  };
  await removeContainers(options.folder);
  const run = (name: string, publish: string[], variables: string[], volume: string, image: string, args: string[]) =>
    execute(
      'docker',
      ['run', '--detach', '--name', name, '--hostname', name, '--label', `${LABEL}=${id}`, '--volume', volume]
        .concat(publish.flatMap((mapping) => ['--publish', `127.0.0.1:${mapping}`]))
        .concat(variables.flatMap((variable) => ['--env', variable]))
        .concat(image, args),
      { env },
    );
  const settings = ['max_connections=400', 'timezone=UTC', ...(options.durable ? [] : ['fsync=off', 'full_page_writes=off'])];
  await run(
    postgres,
    [`${String(ports.postgres)}:5432`],
    ['POSTGRES_USER', 'POSTGRES_PASSWORD'],
    `${postgres}:/var/lib/postgresql/data`,
    POSTGRES_IMAGE,
    ['postgres', ...settings.flatMap((setting) => ['-c', setting])],
  );
  await run(
    rabbit,
    [`${String(ports.amqp)}:5672`, `${String(ports.management)}:15672`],
    ['RABBITMQ_DEFAULT_USER', 'RABBITMQ_DEFAULT_PASS', 'RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS'],
    `${rabbit}:/var/lib/rabbitmq`,
    RABBITMQ_IMAGE,
    [],
  );
  const login = `${USER}:${options.password}@127.0.0.1`;
  const databaseUrl = `postgres://${login}:${String(ports.postgres)}/postgres`;
  const managementUrl = `http://${login}:${String(ports.management)}`;
  await Promise.all([
    waitFor('PostgreSQL', () => answers(databaseUrl), watched(postgres)),
    waitFor('RabbitMQ', () => brokerAnswers(managementUrl), watched(rabbit)),
  ]);
  return {
    databaseUrl,
    amqpUrl: `amqp://${login}:${String(ports.amqp)}`,
    managementUrl,
    ports,
    containers: [postgres, rabbit],
  };
}

async function list(what: readonly string[]): Promise<string[]> {
  const { stdout } = await execute('docker', [...what]);
  return stdout.split('\n').filter(Boolean);
}

/** The ids of this folder's containers, as the control groups of their processes are named. */
export const containersOf = (folder: string): Promise<string[]> =>
  list(['ps', '--all', '--quiet', '--no-trunc', '--filter', `label=${LABEL}=${folderId(folder)}`]);

/** Removes this folder's containers. Their data stays in the volumes. */
export async function removeContainers(folder: string): Promise<void> {
  const ours = await containersOf(folder);
  // Containers are stopped before they are removed, which gives a database 20 s to write its data.
  if (ours.length > 0) await execute('docker', ['stop', '--time', '20', ...ours]);
  if (ours.length > 0) await execute('docker', ['rm', '--force', ...ours]);
}

/** Removes the data of this folder's containers. */
export async function removeVolumes(folder: string): Promise<void> {
  const ours = await list(['volume', 'ls', '--quiet', '--filter', `name=^pay-${folderId(folder)}-`]);
  if (ours.length > 0) await execute('docker', ['volume', 'rm', ...ours]);
}

/** Restarts one container, as a reboot of the machine would, and waits until its server answers again. */
export async function restartContainer(name: string, isReady: () => Promise<boolean>): Promise<void> {
  await execute('docker', ['restart', '--time', '0', name]);
  await waitFor(name, isReady, watched(name));
}

/** Runs `rabbitmqctl` in a container, and returns its output. @throws Error if it fails */
export async function rabbitControlIn(name: string, args: readonly string[]): Promise<string> {
  const { stdout } = await execute('docker', ['exec', '--user', 'rabbitmq', name, 'rabbitmqctl', '--quiet', ...args]);
  return stdout;
}

const watched = (name: string) => ({ alive: () => true, logFile: `docker logs ${name}` });
