/** After the project "integration". */
export default async function tearDown(): Promise<void> {
  await globalThis.testServers?.release();
}
