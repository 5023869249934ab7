// A partner's programs, as texts: they are written into a folder that has the packed SDK and nothing of this repository.

/** What each Node must do with the package. Its arguments are the files of the test vectors. */
const CONFORMANCE = String.raw`
async function main() {
  const [requests, callbacks] = process.argv.slice(2).map((path) => JSON.parse(fs.readFileSync(path, 'utf8')));
  const { partnerID, publicKeyOpenSsh: publicKey, privateKeyPkcs8Pem: privateKeyPem } = requests;
  const identity = sdk.readIdentity({ partnerID, publicKey, privateKeyPem });
  const signer = await web.createSigner({ partnerID, publicKey, privateKeyPem });
  let count = 0;
  for (const vector of requests.cases) {
    const request = { ...vector, body: Buffer.from(vector.body) };
    const { authorization, canonical } = sdk.signRequest(identity, request, vector);
    assert.equal(canonical, vector.canonical);
    assert.equal(JSON.parse(authorization).sign, vector.sign);
    const byWeb = await signer(request, new Date());
    const signature = Buffer.from(JSON.parse(byWeb.authorization).sign, 'base64');
    assert.ok(crypto.verify(null, Buffer.from(byWeb.canonical), crypto.createPublicKey(privateKeyPem), signature));
    assert.deepEqual(byWeb.canonical.split('\n').slice(2), vector.canonical.split('\n').slice(2));
    count += 1;
  }
  const keys = Object.entries(callbacks.keys).map(([keyId, secret]) => ({ keyId, secret }));
  for (const { timestamp, body, signature } of callbacks.cases) {
    const headers = { 'x-service-timestamp': timestamp, 'x-service-signature': signature };
    const at = (seconds) => new Date((Number(timestamp) + seconds) * 1000);
    for (const verify of [sdk.verifyCallback, web.verifyCallback]) {
      const reason = async (text, now) => (await verify(Buffer.from(text), headers, keys, now)).reason;
      assert.equal(await reason(body, at(0)), 'malformed', 'believed, and not a whole event');
      assert.equal(await reason(body + ' ', at(0)), 'bad signature');
      assert.equal(await reason(body, at(301)), 'stale');
    }
    count += 1;
  }
  await exactAmounts(privateKeyPem, publicKey, partnerID);
  assert.equal(typeof plugin.callbackPlugin('/callbacks', {}), 'function');
  assert.equal(typeof postgres.postgresEventStore({}).receive, 'function');
  assert.equal(await memory.memoryEventStore().receive({ eventId: 'e', aggregateId: 'a', aggregateVersion: 1 }, async () => {}), 'applied');
  console.log(count + ' vectors');
}

/** Amounts that no double holds, both ways; one key over the repeat, and a nonce of its own for each attempt. */
async function exactAmounts(privateKeyPem, publicKey, partnerID) {
  const bodies = [], attempts = [];
  const server = http.createServer(async (req, res) => {
    let body = '';
    for await (const chunk of req) body += chunk;
    bodies.push(body);
    attempts.push({ key: req.headers['idempotency-key'], nonce: JSON.parse(req.headers.authorization).nonce });
    if (bodies.length === 1) return res.writeHead(503).end();
    res.writeHead(201).end('{"id":"x","amount":900719925474099.10}');
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = 'http://127.0.0.1:' + server.address().port;
  const client = sdk.createClient({ baseUrl, partnerID, publicKey, privateKeyPem, backoffMs: 1 });
  const created = await client.createQrPayment({ amount: '900719925474099.10' });
  assert.equal(created.amount, '900719925474099.10');
  assert.deepEqual(bodies, ['{"amount":900719925474099.10}', '{"amount":900719925474099.10}']);
  assert.equal(attempts[0].key, attempts[1].key);
  assert.notEqual(attempts[0].nonce, attempts[1].nonce);
  client.close();
  server.close();
}

main();
`;

const IMPORTS: readonly (readonly [name: string, module: string])[] = [
  ['assert', 'node:assert/strict'],
  ['crypto', 'node:crypto'],
  ['fs', 'node:fs'],
  ['http', 'node:http'],
  ['sdk', '@pay/sdk'],
  ['web', '@pay/sdk/web'],
  ['plugin', '@pay/sdk/fastify'],
  ['memory', '@pay/sdk/event-store'],
  ['postgres', '@pay/sdk/postgres-event-store'],
];

/** The same program as an ES module and as CommonJS. */
export const CONFORMANCE_FILES = {
  'conformance.mjs': `${IMPORTS.map(([name, from]) => `import ${name === 'assert' ? name : `* as ${name}`} from '${from}';`).join('\n')}\n${CONFORMANCE}`,
  'conformance.cjs': `${IMPORTS.map(([name, from]) => `const ${name} = require('${from}');`).join('\n')}\n${CONFORMANCE}`,
};

/** A strict TypeScript program on Node: it compiles as an ES module and as CommonJS. */
export const TYPED_CONSUMER = `
import { createServer } from 'node:http';
import { ApiError, callbackReceiver, createClient, everyItem, type CardPayment, type PartnerEvent } from '@pay/sdk';
import { memoryEventStore } from '@pay/sdk/event-store';
import { streamEvents } from '@pay/sdk/event-stream';
import { callbackPlugin } from '@pay/sdk/fastify';
import { postgresEventStore, type PostgresConnection } from '@pay/sdk/postgres-event-store';
import { callbackRoute } from '@pay/sdk/web';

export async function sell(pool: { connect(): Promise<PostgresConnection> }): Promise<CardPayment | Date | undefined> {
  const service = { baseUrl: 'https://api.example', partnerID: 'p', publicKey: 'k', privateKeyPem: 'x' };
  const client = createClient(service);
  const keys = [{ keyId: 'k1', secret: 'x' }];
  const onEvent = async (event: PartnerEvent): Promise<void> => {
    if (event.type === 'payment.completed') console.log(event.data.amount.padStart(12));
  };
  createServer(callbackReceiver({ keys, store: postgresEventStore(pool), onEvent }));
  callbackPlugin('/callbacks', { keys, store: memoryEventStore(), onEvent });
  callbackRoute({ keys, store: memoryEventStore(), onEvent });
  for await (const { place, event } of streamEvents({ ...service, keys, signal: AbortSignal.timeout(1) }))
    if (event !== undefined) await onEvent(event).then(() => console.log(place.padStart(12)));
  for await (const payment of everyItem((page) => client.listCardPayments({ status: 'COMPLETED', ...page }))) return payment;
  try {
    const { id } = await client.createCardPayment({ orderID: 'A-1', amount: '10.50', currency: 'RUB', description: 'Tea', customerID: 'c1' });
    return await client.readCardPayment(id);
  } catch (error) {
    return error instanceof ApiError && error.code === 'PERIOD_NOT_ELAPSED' ? error.nextChargeAt : undefined;
  }
}
`;

/** The same where there is no Node: a browser's types only. */
export const TYPED_WEB_CONSUMER = `
import { callbackRoute, createSigner, verifyCallback } from '@pay/sdk/web';

export async function tryIt(privateKeyPem: string): Promise<Response> {
  const sign = await createSigner({ partnerID: 'p', publicKey: 'k', privateKeyPem });
  const { authorization } = await sign({ method: 'GET', target: '/api/card' }, new Date());
  return await fetch('https://api.example/api/card', { headers: { Authorization: authorization } });
}
export const isBelieved = async (request: Request): Promise<boolean> =>
  (await verifyCallback(new Uint8Array(await request.arrayBuffer()), request.headers, [], new Date())).ok;
export const route: typeof callbackRoute = callbackRoute;
`;

/** An amount that is a number does not compile. */
export const WRONG_CONSUMER = `
import { createClient, type ClientOptions } from '@pay/sdk';

export const wrong = (options: ClientOptions) => createClient(options).createQrPayment({ amount: 10.5 });
`;
