import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { callbackIsSigned } from '@pay/shared/signing/callback-signature.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';
import { startReceiver, withStatus } from '../../test/receiver.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
  app.startEngine();
});
afterAll(async () => {
  await app.stop();
});

describe('delivery', () => {
  it('I01: 200 ends an event; the callback is signed, complete, and every attempt is recorded', async () => {
    const receiver = await startReceiver(withStatus(200));
    await app.givenEndpoints('partner-i01', receiver.url);
    const issued = await app.fetchSecret('partner-i01');
    expect(issued.status).toBe(201);
    const eventId = await app.givenEvent('partner-i01');
    await receiver.arrived(1);
    await app.until(`select status = 'DELIVERED' as ok from events where event_id = $1`, [eventId]);

    const [callback] = receiver.received;
    if (callback === undefined) throw new Error('nothing arrived');
    const keys = [{ keyId: issued.body['keyId'] ?? '', secret: Buffer.from(issued.body['secret'] ?? '', 'base64') }];
    const header = (name: string) => String(callback.headers[name]);
    expect(callbackIsSigned(keys, header('x-service-signature'), header('x-service-timestamp'), callback.body)).toBe(
      true,
    );
    expect(JSON.parse(callback.body.toString())).toMatchObject({
      schemaVersion: 1,
      eventId,
      type: 'payment.completed',
    });
    expect(await app.query('select number, status, outcome from attempts where event_id = $1', [eventId])).toEqual([
      { number: 1, status: 200, outcome: 'DELIVERED' },
    ]);
    await receiver.close();
  });
});
