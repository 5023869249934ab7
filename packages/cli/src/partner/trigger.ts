import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Argument, type Command } from 'commander';
import type { Client } from '@pay/sdk/client.ts';
import { ApiError } from '@pay/sdk/errors.ts';
import type { EventType, NewCardPayment } from '@pay/sdk/types.ts';
import { contextOf, withClient } from '../context.ts';
import { CliFault, EXIT, usage } from '../fault.ts';
import { facts } from '../output.ts';
import type { Profile } from '../profile.ts';
import { payCard } from './card.ts';
import { payQr } from './qr.ts';

/** The ids of what was made. */
type Made = { readonly paymentId: string; readonly refundId?: string; readonly bindingId?: string };
type World = { readonly client: Client; readonly profile: Profile };

const CARD = { card: '4111111111111111', expiry: '12/34', cvv: '123', threeDs: 'approve', timeout: '60' } as const;
const NO_FUNDS = '4000000000009995';
/** Of a QR payment of this amount the bank approves the payment, and no refund. */
const REFUND_FAILS = '10.95';

async function madeCard({ client, profile }: World, more: Partial<NewCardPayment> = {}): Promise<string> {
  const { id } = await client.createCardPayment({
    ...(profile.cardPoint === undefined ? {} : { paymentPointID: profile.cardPoint }),
    orderID: `trigger-${randomUUID()}`,
    amount: '10.00',
    currency: 'RUB',
    description: 'A payment from the command line',
    customerID: `trigger-${randomUUID()}`,
    ...more,
  });
  return id;
}

async function paidCard(world: World): Promise<string> {
  const paymentId = await madeCard(world);
  await payCard(world.profile, paymentId, CARD);
  return paymentId;
}

async function refunded(world: World, amount?: string): Promise<Made> {
  const paymentId = await paidCard(world);
  const { refundId } = await world.client.refundCardPayment(paymentId, amount === undefined ? {} : { amount });
  return { paymentId, refundId };
}

async function refundRefused({ client, profile }: World): Promise<Made> {
  const { id } = await client.createQrPayment({
    ...(profile.qrPoint === undefined ? {} : { paymentPointID: profile.qrPoint }),
    amount: REFUND_FAILS,
    currency: 'RUB',
  });
  await payQr(profile, id, { timeout: CARD.timeout });
  const { refundId } = await client.refundQrPayment(id);
  return { paymentId: id, refundId };
}

async function savedCard(world: World): Promise<Made & { readonly bindingId: string }> {
  const paymentId = await madeCard(world, { savePaymentMethod: true, recurringConsent: { period: 'P1M' } });
  const { bindingId } = await payCard(world.profile, paymentId, { ...CARD, agree: true });
  if (bindingId === undefined) throw new CliFault(EXIT.refused, `payment ${paymentId} saved no card`);
  return { paymentId, bindingId };
}

/** Undefined while it is not there yet. */
const bindingOf = (client: Client, bindingId: string) =>
  client.readBinding(bindingId).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  });

/** For each of the eight events, what a partner and a buyer do until it happens. */
const TRIGGERS = {
  'payment.completed': async (world) => ({ paymentId: await paidCard(world) }),
  'payment.failed': async (world) => {
    const paymentId = await madeCard(world);
    await payCard(world.profile, paymentId, { ...CARD, card: NO_FUNDS });
    return { paymentId };
  },
  'refund.pending': (world) => refunded(world, '1.00'),
  'refund.completed': (world) => refunded(world, '1.00'),
  'refund.failed': refundRefused,
  'payment.refunded': (world) => refunded(world),
  'binding.created': savedCard,
  'binding.revoked': async (world) => {
    const made = await savedCard(world);
    // The binding follows its payment within moments.
    await until('the saved card', () => bindingOf(world.client, made.bindingId));
    await world.client.revokeBinding(made.bindingId);
    return made;
  },
} as const satisfies Partial<Record<EventType, (world: World) => Promise<Made>>>;

type Triggered = keyof typeof TRIGGERS;
const TYPES = Object.keys(TRIGGERS).filter((type): type is Triggered => Object.hasOwn(TRIGGERS, type));

/** `pay trigger`: makes an event happen, by a real payment in the sandbox. */
export function addTrigger(program: Command): void {
  program
    .command('trigger')
    .addArgument(new Argument('<event>', 'the event, such as refund.failed').choices(TYPES))
    .description('TEST: make one of the eight events happen: pays, refunds or saves a card at the sandbox bank')
    .action(async (type: Triggered, _options: unknown, command: Command) => {
      const { output, profile: readProfile } = contextOf(command);
      const profile = readProfile();
      if (profile.bankUrl === undefined || profile.bankControlUrl === undefined)
        throw usage('the profile has no sandbox bank: events are triggered in TEST only');
      const result = await withClient(profile, async (client) => {
        const made = await TRIGGERS[type]({ client, profile });
        return { ...made, type, eventId: await eventOf(client, type, made) };
      });
      output.result(facts(result), result);
    });
}

/** The id of the event, once it is in the partner's log. */
async function eventOf(client: Client, type: Triggered, { paymentId, bindingId }: Made): Promise<string> {
  const objectId = type.startsWith('binding.') ? (bindingId ?? paymentId) : paymentId;
  const { eventId } = await until(type, async () => (await client.listEvents({ objectId, type })).items[0]);
  return eventId;
}

const WAIT_MS = 60_000;
const POLL_MS = 250;

/** @throws CliFault 5 if it does not happen in a minute */
async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > deadline) throw new CliFault(EXIT.timeout, `${what} did not come within a minute`);
    await wait(POLL_MS);
  }
}
