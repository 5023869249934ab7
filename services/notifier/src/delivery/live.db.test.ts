import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { callbackIsSigned, callbackKey } from '@pay/signing/callback-signature.ts';
import { startDnsServer } from '../../../../packages/shared/test/dns-server.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';

// The notifier as LIVE runs it: HTTPS, a verified certificate, a name, no private address but the one that is played.
let app: TestApp;
let server: Server;
let dns: Awaited<ReturnType<typeof startDnsServer>>;
const trusted = getCACertificates();
const received: { headers: IncomingHttpHeaders; body: Buffer }[] = [];

beforeAll(async () => {
  const pem = (name: string) => readFileSync(new URL(`../../test/certificates/${name}`, import.meta.url), 'utf8');
  setDefaultCACertificates([...trusted, pem('authority.pem')]);
  app = await startTestApp();
  dns = await startDnsServer(() => ({ addresses: ['127.0.0.1'] }));
  server = createServer({ cert: pem('good.pem'), key: pem('good.key') }, (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      received.push({ headers: req.headers, body: Buffer.concat(chunks) });
      res.end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  await app.stop();
  await dns.close();
  server.closeAllConnections();
  server.close();
  setDefaultCACertificates(trusted);
});

it('19: an event of a payment and of a binding is sent, signed, to a partner in LIVE (contract)', async () => {
  app.startEngine({ allowPrivate: false, dnsServers: [dns.server] });
  const { port } = server.address() as AddressInfo;
  await app.givenEndpoints('live-partner', `https://shop.example:${String(port)}/callbacks`);
  const { body: secret } = await app.fetchSecret('live-partner');
  const key = callbackKey(secret['keyId'] ?? '', Buffer.from(secret['secret'] ?? '', 'base64'));
  const sent = [await app.givenEvent('live-partner'), await app.givenEvent('live-partner', { type: 'binding.created' })];
  await app.until(`select count(*) = 2 as ok from events where partner_id = 'live-partner' and status = 'DELIVERED'`);
  expect(received.map(({ headers }) => headers['x-service-event-id']).sort()).toEqual(sent.toSorted());
  for (const { headers, body } of received) {
    const [signature, timestamp] = [headers['x-service-signature'], headers['x-service-timestamp']].map(String);
    expect(callbackIsSigned([key], signature ?? '', timestamp ?? '', body)).toBe(true);
  }
});

it('19: the same partner’s address on plain HTTP, or on a private network, gets none in LIVE (contract)', async () => {
  for (const [partner, url] of [
    ['plain-partner', 'http://shop.example/callbacks'],
    ['private-partner', 'https://10.0.0.1/callbacks'],
  ] as const) {
    await app.givenEndpoints(partner, url);
    await app.fetchSecret(partner);
    const eventId = await app.givenEvent(partner);
    await app.until(`select count(*) = 1 as ok from attempts where event_id = '${eventId}'`);
    const rows = await app.query('select failure from attempts where event_id = $1', [eventId]);
    expect(rows).toEqual([{ failure: 'ADDRESS_NOT_PUBLIC' }]);
  }
});
