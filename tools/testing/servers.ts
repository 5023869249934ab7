import { PostgreSqlContainer } from '@testcontainers/postgresql';
import { RabbitMQContainer } from '@testcontainers/rabbitmq';
import { dockerAnswers, POSTGRES_IMAGE, RABBITMQ_IMAGE } from '../infrastructure/containers.ts';
import { startInfrastructure } from '../infrastructure/infrastructure.ts';
import { TEST_FOLDER } from './test-folders.ts';

/** PostgreSQL and RabbitMQ for one test run, with an administrator's URLs. */
export type TestServers = {
  readonly databaseUrl: string;
  readonly amqpUrl: string;
  readonly managementUrl: string;
  release(): Promise<void>;
};

const say = (line: string) => process.stdout.write(`  ${line}\n`);

/**
 * The servers that the environment names (a run inside a run), else containers where a Docker engine answers, else
 * private instances. The latter are kept for the next run and shared by runs at the same time; with CI=true they end
 * with the run.
 */
export async function obtainTestServers(env: NodeJS.ProcessEnv = process.env): Promise<TestServers> {
  const { TEST_DATABASE_URL = '', TEST_AMQP_URL = '', TEST_MANAGEMENT_URL = '' } = env;
  if (TEST_DATABASE_URL !== '' && TEST_AMQP_URL !== '' && TEST_MANAGEMENT_URL !== '') {
    const release = () => Promise.resolve();
    return { databaseUrl: TEST_DATABASE_URL, amqpUrl: TEST_AMQP_URL, managementUrl: TEST_MANAGEMENT_URL, release };
  }
  if (await dockerAnswers()) return await startTestContainers();
  const servers = await startInfrastructure({ folder: TEST_FOLDER, log: say, purpose: 'test' });
  if (servers.managementUrl === undefined)
    throw new Error('unset DATABASE_URL and AMQP_URL: tests need servers of their own');
  const release = () => (env['CI'] === 'true' ? servers.stop() : Promise.resolve());
  const { databaseUrl, amqpUrl, managementUrl } = servers;
  return { databaseUrl, amqpUrl, managementUrl, release };
}

async function startTestContainers(): Promise<TestServers> {
  // Its janitor is one more image; the containers are stopped below and carry no volume.
  process.env['TESTCONTAINERS_RYUK_DISABLED'] ??= 'true';
  const [postgres, rabbit] = await Promise.all([
    new PostgreSqlContainer(POSTGRES_IMAGE)
      .withCommand(['postgres', '-c', 'fsync=off', '-c', 'max_connections=400'])
      .start(),
    new RabbitMQContainer(RABBITMQ_IMAGE).withExposedPorts(5672, 15672).start(),
  ]);
  const management = `http://guest:guest@${rabbit.getHost()}:${String(rabbit.getMappedPort(15672))}`;
  return {
    databaseUrl: postgres.getConnectionUri(),
    amqpUrl: `amqp://guest:guest@${rabbit.getHost()}:${String(rabbit.getMappedPort(5672))}`,
    managementUrl: management,
    release: async () => {
      await Promise.all([postgres.stop(), rabbit.stop()]);
    },
  };
}
