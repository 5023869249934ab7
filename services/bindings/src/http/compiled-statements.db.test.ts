import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { textsBuilt } from '../../../../tools/testing/texts-built.ts';
import { startTestApp, type TestApp } from '../../test/app.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startTestApp();
});
afterAll(() => t.close());

// A charge is followed by payments' question whether the buyer still agrees, and by its end.
it('charging, reading a binding and the end of the charge build the text of no statement (decisions/sql-statements)', async () => {
  const charge = async () => {
    const bindingId = await t.givenBinding();
    return async () => {
      const { status, body } = await t.charge(bindingId);
      expect(status).toBe(201);
      expect((await t.call('GET', `/internal/bindings/${bindingId}`)).status).toBe(200);
      await t.completed(body['paymentId'], new Date().toISOString());
    };
  };
  // The first time builds them.
  await (
    await charge()
  )();
  expect(await textsBuilt(await charge())).toBe(0);
});
