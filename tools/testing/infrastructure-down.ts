import type { TestServers } from './servers.ts';

/** Runs after the project "integration". */
export default async function tearDown(): Promise<void> {
  const servers: TestServers | undefined = globalThis.testServers;
  await servers?.release();
}
