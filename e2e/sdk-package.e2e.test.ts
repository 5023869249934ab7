import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePorts } from '../tools/infrastructure/ports.ts';
import { installSdk, type InstalledSdk } from '../tools/sdk/installed.ts';
import { findNodes, NODE_MAJORS } from '../tools/sdk/nodes.ts';
import { firstExample, startExample } from '../tools/sdk/readme-example.ts';
import { payAtCheckout } from '../tools/system/buyer.ts';
import { runningSystem } from '../tools/testing/running-system.ts';
import { CANARY_CVV, CARDS, openWorld, type World } from './world.ts';

const NODES = findNodes();
const HERE = NODE_MAJORS.flatMap((major) => {
  const node = NODES.get(major);
  return node === undefined ? [] : [{ major, node }];
});

/** The SDK as a partner gets it: the packed file, installed in an empty folder, and its README. */
describe('the packed SDK and the whole system', () => {
  let sdk: InstalledSdk;
  let world: World;
  let port = 0;
  beforeAll(async () => {
    sdk = await installSdk();
    port = (await freePorts(['receiver'])).receiver;
    world = await openWorld(runningSystem(), () => `http://127.0.0.1:${String(port)}/callbacks`);
  });
  afterAll(async () => {
    await world.close();
    await sdk.remove();
  });

  it.each(HERE)("the README's first example on Node $major: to a verified callback", async ({ node }) => {
    const { partner, system } = world;
    const secret = system.state().callbackSecret;
    const readme = await readFile(join(sdk.shop, 'node_modules/@pay/sdk/README.md'), 'utf8');
    await writeFile(join(sdk.shop, 'pay.mjs'), firstExample(readme));
    await writeFile(join(sdk.shop, 'partner.pem'), partner.privateKeyPem);
    const example = startExample(node, sdk.shop, {
      API_URL: system.addresses.baseUrl,
      PARTNER_ID: partner.partnerID,
      PUBLIC_KEY: partner.publicKey,
      PRIVATE_KEY_FILE: join(sdk.shop, 'partner.pem'),
      PAYMENT_POINT_ID: partner.paymentPoints.card,
      CALLBACK_KEY_ID: secret?.keyId ?? '',
      CALLBACK_SECRET: secret?.secret ?? '',
      PORT: String(port),
    });
    try {
      const [, id = '', paymentUrl = ''] = await example.printed(/^created (\S+) (\S+)$/m);
      await payAtCheckout(paymentUrl, { number: CARDS.approved, expiry: '12/34', cvv: CANARY_CVV });
      await example.printed(new RegExp(`^verified payment\\.completed ${id}$`, 'm'));
      expect(await world.client.readCardPayment(id)).toMatchObject({ status: 'COMPLETED', amount: '10.5' });
    } finally {
      await example.stop();
    }
  });
});
