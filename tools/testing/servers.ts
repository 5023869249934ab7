import { PostgreSqlContainer } from '@testcontainers/postgresql';
import { RabbitMQContainer } from '@testcontainers/rabbitmq';
import { Wait, type StartedTestContainer } from 'testcontainers';
import { containersProblem, POSTGRES_IMAGE, RABBITMQ_IMAGE } from '../infrastructure/containers.ts';
import { NO_BUSY_WAIT } from '../infrastructure/rabbitmq.ts';
import { TEST_FOLDER } from '../infrastructure/folders.ts';
import { startInfrastructure } from '../infrastructure/infrastructure.ts';
import { answers } from '../infrastructure/postgres.ts';
import { hasMemory } from '../infrastructure/processes.ts';

/** PostgreSQL and RabbitMQ for one test run, with an administrator's URLs. */
export type TestServers = {
  readonly databaseUrl: string;
  readonly amqpUrl: string;
  readonly managementUrl: string;
  release(): Promise<void>;
};

const say = (line: string) => process.stdout.write(`  ${line}\n`);

/**
 * The servers that the environment names (a run inside a run), else containers if possible, else private instances. The
 * latter are kept for the next run and shared by concurrent runs; with CI=true they end with the run.
 */
export async function obtainTestServers(env: NodeJS.ProcessEnv = process.env): Promise<TestServers> {
  const { TEST_DATABASE_URL = '', TEST_AMQP_URL = '', TEST_MANAGEMENT_URL = '' } = env;
  if (TEST_DATABASE_URL !== '' && TEST_AMQP_URL !== '' && TEST_MANAGEMENT_URL !== '') {
    const release = () => Promise.resolve();
    return { databaseUrl: TEST_DATABASE_URL, amqpUrl: TEST_AMQP_URL, managementUrl: TEST_MANAGEMENT_URL, release };
  }
  if ((await containersProblem()) === undefined) return await startTestContainers();
  const servers = await startInfrastructure({ folder: TEST_FOLDER, log: say, purpose: 'test' });
  if (servers.managementUrl === undefined) throw new Error('unset DATABASE_URL and AMQP_URL: tests need servers of their own');
  const release = () => (env['CI'] === 'true' ? servers.stop() : Promise.resolve());
  const { databaseUrl, amqpUrl, managementUrl } = servers;
  return { databaseUrl, amqpUrl, managementUrl, release };
}

async function startTestContainers(): Promise<TestServers> {
  // Its janitor needs another image; the containers are stopped below and have no volume.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true';
  const starting = [
    new PostgreSqlContainer(POSTGRES_IMAGE)
      // The module's own check runs four times a second for as long as the tests run, which takes a good part of a core. Over TCP,
      // because while the container prepares its data there is only the socket.
      .withHealthCheck({
        test: ['CMD', 'pg_isready', '-h', '127.0.0.1'],
        interval: 2_000,
        timeout: 5_000,
        retries: 60,
      })
      // A file system on a disk looks for a free inode for each of the thousand files of a new database.
      .withTmpFs(hasMemory() ? { '/var/lib/postgresql/data': 'rw' } : {})
      // Each new database is a checkpoint, after which every page would go into the log whole.
      .withCommand(['postgres', ...['fsync=off', 'full_page_writes=off', 'max_connections=400'].flatMap((one) => ['-c', one])])
      .start(),
    new RabbitMQContainer(RABBITMQ_IMAGE)
      .withExposedPorts(5672, 15672)
      .withEnvironment({ RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: NO_BUSY_WAIT })
      // Not by a line in its log, which differs between versions.
      .withWaitStrategy(Wait.forHttp('/api/overview', 15672).withBasicCredentials('guest', 'guest').forStatusCode(200))
      .withStartupTimeout(STARTUP_MS)
      .start(),
  ] as const;
  const release = async () => {
    for (const result of await Promise.allSettled(starting)) if (result.status === 'fulfilled') await result.value.stop();
  };
  try {
    const [postgres, rabbit] = await Promise.all(starting);
    const databaseAt = (host: string) => Object.assign(new URL(postgres.getConnectionUri()), { host }).href;
    const own = addressOf(postgres);
    const isDirect = own !== '' && (await answers(databaseAt(`${own}:5432`)));
    const at = (container: StartedTestContainer, port: number) =>
      isDirect ? `${addressOf(container)}:${String(port)}` : `${container.getHost()}:${String(container.getMappedPort(port))}`;
    return {
      databaseUrl: databaseAt(at(postgres, 5432)),
      amqpUrl: `amqp://guest:guest@${at(rabbit, 5672)}`,
      managementUrl: `http://guest:guest@${at(rabbit, 15672)}`,
      release,
    };
  } catch (error) {
    await release(); // One of the two may be running.
    throw error;
  }
}

/**
 * A container's own address, which is used where the machine can reach it, as on Linux: a published port leads through a
 * program of Docker's that copies every byte, and a query takes three times as long.
 */
function addressOf(container: StartedTestContainer): string {
  const [network] = container.getNetworkNames();
  return network === undefined ? '' : container.getIpAddress(network);
}

/** On a loaded machine the broker takes a minute; on one whose host uses most of the CPU, several. */
const STARTUP_MS = 300_000;
