import { randomUUID } from 'node:crypto';
import type { ChargePeriod } from '../packages/sdk/src/types.ts';
import { CARDS, until, type World } from './world.ts';

/**
 * Makes a first payment whose buyer agrees to save the card; returns its binding once it can be charged, and the last page that the buyer
 * saw.
 */
export async function givenBinding(world: World, period: ChargePeriod, number: string = CARDS.approved) {
  const created = await world.client.createCardPayment({
    ...world.order('990.00'),
    customerID: `buyer-${randomUUID()}`,
    savePaymentMethod: true,
    recurringConsent: { period },
  });
  const lastPage = await world.pay(created, number, { agree: true });
  const { bindingId } = await world.ended(created.id);
  if (bindingId === undefined) throw new Error(`payment ${created.id} saved no card`);
  const binding = await until(`binding ${bindingId}`, () => world.client.readBinding(bindingId).catch(() => undefined));
  return { ...binding, lastPage };
}
