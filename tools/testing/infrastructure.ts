import { obtainTestServers, type TestServers } from './servers.ts';

declare global {
  var testServers: TestServers | undefined;
}

/**
 * Runs before the project "integration": starts PostgreSQL and RabbitMQ, and passes their URLs to the tests in three
 * variables.
 */
export default async function setUp(): Promise<void> {
  const servers = await obtainTestServers();
  globalThis.testServers = servers;
  process.env['TEST_DATABASE_URL'] = servers.databaseUrl;
  process.env['TEST_AMQP_URL'] = servers.amqpUrl;
  process.env['TEST_MANAGEMENT_URL'] = servers.managementUrl;
}
