import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { RegisterReadyEvent, WithdrawalRegisterReadyEvent, WithdrawalRequestedEvent } from '../packages/contract/src/events.ts';
import type { CallbackEvent, ExtraEvent } from '../packages/sdk/src/types.ts';
import { givenRequest } from './console.ts';
import { openWorld, until, type Arrival, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(async () => {
  await switchOn([]);
  await world.bank.resetClock();
  await world.close();
});

async function switchOn(extraEvents: readonly ExtraEvent[]): Promise<void> {
  const { callbackUrl, returnUrl } = await world.client.readEndpoints();
  if (callbackUrl === null || returnUrl === null) throw new Error('the demo partner has no addresses');
  await world.client.saveEndpoints({ callbackUrl, returnUrl, extraEvents });
}

/** The event of a payout request made now, once recorded as `wanted`: changed settings take a moment to arrive. */
function requested(wanted: (status: string) => boolean): Promise<CallbackEvent> {
  return until('a payout request to be recorded under the new settings', async () => {
    const requestId = await givenRequest(world, '0.1');
    const [event] = await until(`the event of ${requestId}`, async () => {
      const { items } = await world.client.listEvents({ objectId: requestId, type: 'withdrawal.requested' });
      return items.length === 0 ? undefined : items;
    });
    return event !== undefined && wanted(event.status) ? event : undefined;
  });
}

const arrivalOf = ({ eventId }: CallbackEvent): Promise<Arrival> =>
  until(`event ${eventId}`, () => world.receiver.arrivals.find((one) => one.eventId === eventId));

it('19.4: an extra event that the partner switched on arrives signed; one that is off is kept, and comes on a replay', async () => {
  await switchOn(['withdrawal.requested']);
  const event = await requested((status) => status !== 'NOT_CONFIGURED');
  const arrival = await arrivalOf(event);
  expect([arrival.type, arrival.signed]).toEqual(['withdrawal.requested', true]);
  const body: unknown = JSON.parse(arrival.bytes);
  expect(WithdrawalRequestedEvent.parse(body)).toEqual(body);
  expect(body).toMatchObject({ data: { withdrawalRequestId: event.objectId, amountUsdt: '0.100000' } });

  await switchOn([]);
  const kept = await requested((status) => status === 'NOT_CONFIGURED');
  expect(world.receiver.arrivals.some((one) => one.eventId === kept.eventId)).toBe(false);
  await world.client.replayEvent(kept.eventId);
  const asked = await arrivalOf(kept);
  expect([asked.type, asked.signed]).toEqual(['withdrawal.requested', true]);
});

it('19: a closed day is told, signed, to who switched register.ready on, and is what the partner reads', async () => {
  await switchOn(['withdrawal.requested', 'register.ready']);
  await requested((status) => status !== 'NOT_CONFIGURED');
  await world.bank.advanceClock('P2D');
  const told = await until('a closed day', async () => {
    const { items } = await world.client.listEvents({ type: 'register.ready', limit: 1 });
    return items[0];
  });
  // If another test's clock closed these days, the event was only stored.
  if (told.status === 'NOT_CONFIGURED') await world.client.replayEvent(told.eventId);
  const arrival = await arrivalOf(told);
  expect(arrival.signed).toBe(true);
  const event = RegisterReadyEvent.parse(JSON.parse(arrival.bytes));
  expect(event).toEqual(JSON.parse(arrival.bytes));
  const { date, openingBalance, closingBalance, lines } = event.data;
  expect(await world.client.readRegister(date)).toMatchObject({ date, openingBalance, closingBalance, lines });
  expect(await world.client.readRegisterCsv(date)).toContain(`CLOSING_BALANCE,,,,,,,,,,${closingBalance},RUB`);
});

it('19: a closed day in USDT is told by its own event, and is what the partner reads', async () => {
  await switchOn(['withdrawal.requested', 'withdrawal-register.ready']);
  await requested((status) => status !== 'NOT_CONFIGURED');
  await world.bank.advanceClock('P2D');
  const told = await until('a closed day in USDT', async () => {
    const { items } = await world.client.listEvents({ type: 'withdrawal-register.ready', limit: 1 });
    return items[0];
  });
  // If another test's clock closed these days, the event was only stored.
  if (told.status === 'NOT_CONFIGURED') await world.client.replayEvent(told.eventId);
  const arrival = await arrivalOf(told);
  expect(arrival.signed).toBe(true);
  const event = WithdrawalRegisterReadyEvent.parse(JSON.parse(arrival.bytes));
  expect(event).toEqual(JSON.parse(arrival.bytes));
  const { date, openingAvailable, openingReserved, closingAvailable, closingReserved, lines } = event.data;
  const balances = { openingAvailable, openingReserved, closingAvailable, closingReserved };
  expect(await world.client.readUsdtRegister(date)).toMatchObject({ date, ...balances, lines });
  const csv = await world.client.readUsdtRegisterCsv(date);
  expect(csv).toContain(`CLOSING_BALANCE,,,,,,,,,${closingAvailable},${closingReserved},USDT`);
});
