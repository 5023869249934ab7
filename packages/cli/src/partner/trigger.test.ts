import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { generateKeys } from '@pay/sdk/keys.ts';
import { startApiServer, type ApiServer } from '../../../sdk/test/api-server.ts';
import { runHere, writeProfile } from '../../test/run-cli.ts';

const keys = generateKeys();
const partner = { partnerID: 'partner-a', publicKey: keys.publicKey };

let server: ApiServer;
let profile: ReturnType<typeof writeProfile>;
beforeAll(async () => {
  server = await startApiServer(partner);
  profile = writeProfile({ baseUrl: server.url, ...partner }, keys.privateKeyPem);
});
afterAll(async () => {
  await server.close();
  profile.remove();
});

it.each([
  ['a profile without a sandbox bank, as in LIVE', 'payment.completed', 'events are triggered in TEST only'],
  ['an event that is none of the eight', 'register.ready', 'Allowed choices are payment.completed, payment.failed, refund.pending, '],
])('2: %s, before anything is sent', async (_name, type, says) => {
  const { exitCode, stderr } = await runHere(['--profile', profile.file, 'trigger', type]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(says);
  expect(server.requests).toEqual([]);
});
