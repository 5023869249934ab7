import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { textsBuilt } from '../../../../tools/testing/texts-built.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

it('charging a binding, and the end of the charge, build the text of no statement (ADR 0175)', async () => {
  const charge = async () => {
    const bindingId = await t.givenBinding();
    return async () => {
      const { status, body } = await t.charge(bindingId);
      expect(status).toBe(201);
      await t.completed(body['paymentId'], new Date().toISOString());
    };
  };
  // The first time builds them.
  await (
    await charge()
  )();
  expect(await textsBuilt(await charge())).toBe(0);
});
