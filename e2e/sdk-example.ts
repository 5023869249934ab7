import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { startExample } from '../tools/sdk/readme-example.ts';
import { payAtCheckout } from '../tools/system/buyer.ts';
import { CANARY_CVV, CARDS, type World } from './world.ts';

// The first example of an SDK's README, from an empty folder to a verified callback.

type Example = ReturnType<typeof startExample>;

/** What every example reads from its environment. Saves the partner's key in the folder. */
export async function exampleVariables({ partner, system }: World, folder: string, port: number) {
  const secret = system.state().callbackSecret;
  await writeFile(join(folder, 'partner.pem'), partner.privateKeyPem);
  return {
    API_URL: system.addresses.baseUrl,
    PARTNER_ID: partner.partnerID,
    PUBLIC_KEY: partner.publicKey,
    PRIVATE_KEY_FILE: join(folder, 'partner.pem'),
    PAYMENT_POINT_ID: partner.paymentPoints.card,
    CALLBACK_KEY_ID: secret?.keyId ?? '',
    CALLBACK_SECRET: secret?.secret ?? '',
    PORT: String(port),
  };
}

/** The heading of the example that `followTheExample` starts. */
export const STREAM_HEADING = 'Events without an address';

/** Starts the example that streams events, and returns once it has begun. What is paid from then on is printed by it. */
export async function followTheExample(start: () => Example) {
  const example = start();
  await example.printed(/^streaming from \S+$/m);
  return {
    async streamed(paymentId: string): Promise<void> {
      await example.printed(new RegExp(`^streamed payment\\.completed ${paymentId}$`, 'm'));
    },
    stop: () => example.stop(),
  };
}

/** Pays what the example created, and waits until its receiver has verified the callback. Returns the payment. */
export async function payTheExample(world: World, example: Example, receiver: Example) {
  const [, id = '', paymentUrl = ''] = await example.printed(/^created (\S+) (\S+)$/m);
  await payAtCheckout(paymentUrl, { number: CARDS.approved, expiry: '12/34', cvv: CANARY_CVV });
  await receiver.printed(new RegExp(`\\bverified payment\\.completed ${id}$`, 'm'));
  return await world.client.readCardPayment(id);
}
