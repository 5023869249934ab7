import { randomBytes, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { createClient, type Client } from '../../packages/sdk/src/client.ts';
import { ApiError } from '../../packages/sdk/src/errors.ts';
import { streamEvents } from '../../packages/sdk/src/event-stream.ts';
import type { DemoPartner } from '../../tools/system/state.ts';
import { givenBinding } from '../saved-card.ts';
import { CARDS, until } from '../world.ts';
import type { CellSystem } from './systems.ts';

/** A partner's client, at the address that all cells share. It waits as long as the proxy asks it to. */
export const clientAt = (baseUrl: string, { partnerID, publicKey, privateKeyPem }: DemoPartner, attemptsMax = 60): Client =>
  createClient({ baseUrl, partnerID, publicKey, privateKeyPem, attemptsMax, retryAfterMaxMs: 60_000 });

/** A command with what repeats it. */
export type Command = {
  readonly name: string;
  readonly repeat: (client: Client) => Promise<unknown>;
  readonly answer: unknown;
};

/** What a partner has done before it is moved. */
export type History = {
  readonly paid: string;
  readonly refundable: string;
  readonly bindingId: string;
  /** Where the buyer sees the saved card: an address of the first cell's checkout. */
  readonly savedCardUrl: string;
  readonly commands: readonly Command[];
  /** Payments whose callbacks the partner has refused, not taken yet, and taken. */
  readonly refused: string;
  readonly waiting: string;
};

const orderOf = (partner: DemoPartner, amount: string) => ({
  paymentPointID: partner.paymentPoints.card,
  orderID: `cells-${randomUUID()}`,
  amount,
  currency: 'RUB' as const,
  description: 'Tea, 100 g',
  customerID: 'buyer-1',
  savePaymentMethod: false,
});

/** Pays, refunds, saves a card and charges it, draws USDT, and leaves callbacks in every state. */
export async function makeHistory({ world, operator }: CellSystem, client: Client): Promise<History> {
  const commands: Command[] = [];
  const command = async <T>(
    name: string,
    send: (client: Client, options: { readonly idempotencyKey: string }) => Promise<T>,
  ): Promise<T> => {
    const options = { idempotencyKey: randomUUID() };
    const answer = await send(client, options);
    commands.push({ name, repeat: (repeating) => send(repeating, options), answer });
    return answer;
  };
  const create = (amount: string) => {
    const order = orderOf(world.partner, amount);
    return command('a payment', (one, options) => one.createCardPayment(order, options));
  };
  const pay = async (number: string, amount: string): Promise<string> => {
    const created = await create(amount);
    await world.pay(created, number);
    await world.ended(created.id);
    return created.id;
  };
  const paid = await pay(CARDS.approved, '10.50');
  await command('a refund', (one, options) => one.refundCardPayment(paid, { amount: '2.50' }, options));
  const refundable = await pay(CARDS.approved, '99.00');
  await pay(CARDS.declined, '11.00');

  const { bindingId, lastPage } = await givenBinding(world, 'PT1H');
  const [, savedCardPath = ''] = /href="(\/saved-card\/[^"?]+)/.exec(lastPage.html) ?? [];
  const savedCardUrl = new URL(savedCardPath, lastPage.url).href;
  await world.bank.advanceClock('PT61M');
  const order = { merchantOrderId: `cells-${randomUUID()}`, amount: '990.00', currency: 'RUB', bindingId, description: 'Tea' } as const;
  const { paymentId } = await command('a charge', (one, options) => one.createRecurringPayment(order, options));
  await world.ended(paymentId);

  const { storeID: storeId, beneficiaryRef } = world.partner;
  const wanted = { storeId, beneficiaryRef, amountUsdt: '11.000000' };
  const { withdrawalRequestId: requestId } = await command('a withdrawal', (one, options) => one.createWithdrawalRequest(wanted, options));
  const act = async (person: string, verb: string, ...more: readonly string[]) => {
    const { revision } = await operator(person, 'withdrawals', 'get', requestId);
    return operator(person, 'withdrawals', verb, requestId, '--revision', String(revision), ...more);
  };
  await act('olga', 'take');
  await act('olga', 'approve');
  await act('ivan', 'complete', '--reference', randomBytes(32).toString('hex'));

  const answers = new Map<string, number>();
  world.receiver.onArrival = ({ orderId }) => answers.get(orderId) ?? 200;
  const withAnswer = async (status: number): Promise<string> => {
    const created = await create('12.00');
    const { id } = created;
    answers.set(id, status);
    await world.pay(created, CARDS.approved);
    await world.ended(id);
    await world.told(id);
    return id;
  };
  const refused = await withAnswer(400);
  const waiting = await withAnswer(500);
  // A second version waits behind the first.
  await command('a second refund', (one, options) => one.refundCardPayment(waiting, { amount: '1.00' }, options));
  await until('refunds to end', async () => {
    const { items } = await client.listCardRefunds(waiting);
    return items.every(({ status }) => status === 'COMPLETED') ? true : undefined;
  });
  return { paid, refundable, bindingId, savedCardUrl, commands, refused, waiting };
}

/** Presses the button that stops charges of a saved card, on a page of this address; the page that comes of it. */
export const revokeAt = (savedCardUrl: string): Promise<Response> =>
  fetch(`${savedCardUrl}/revoke`, {
    method: 'POST',
    headers: { origin: new URL(savedCardUrl).origin, 'sec-fetch-site': 'same-origin', accept: 'text/html' },
    body: new URLSearchParams(),
  });

/** Everything that a partner can read, less what goes on by itself: callbacks that wait. */
export async function readAll(client: Client, { partnerID, storeID }: DemoPartner, history: History) {
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const events = await client.listEvents({ limit: 100 });
  return {
    partnerID,
    points: await client.listPaymentPoints(),
    endpoints: await client.readEndpoints(),
    payments: await client.listCardPayments({ limit: 100, from }),
    paid: await client.readCardPayment(history.paid),
    refunds: await client.listCardRefunds(history.paid),
    binding: await client.readBinding(history.bindingId),
    withdrawals: await client.listWithdrawalRequests({ limit: 100 }),
    balance: await client.readWithdrawalBalance(storeID),
    events: events.items.filter(({ status }) => status !== 'WAITING'),
    waiting: events.items.filter(({ status }) => status === 'WAITING').map(({ eventId }) => eventId),
  };
}

/** The names of what differs. */
export const differences = (before: Record<string, unknown>, after: Record<string, unknown>): string[] =>
  Object.keys(before).filter((name) => !isDeepStrictEqual(without(before[name]), without(after[name])));

/** Less the address of a checkout: it names the cell. */
const without = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === 'paymentUrl' ? undefined : inner))) as unknown;

/** Repeats every command with its key; returns those that are not answered as before. */
export async function repeatAll(client: Client, { commands }: History): Promise<string[]> {
  const wrong: string[] = [];
  for (const { name, repeat, answer } of commands) {
    const [then, now] = [answer, await repeat(client)].map(idsOf);
    if (!isDeepStrictEqual(then, now)) wrong.push(`${name}: ${JSON.stringify(now)}, not ${JSON.stringify(then)}`);
  }
  return wrong;
}

/** What does not change with the state of the object. */
const idsOf = (answer: unknown) =>
  Object.fromEntries(Object.entries(answer ?? {}).filter(([key]) => /id$/i.test(key) && key !== 'requestId'));

/** The partner's events as they are streamed; each place can be continued from. */
export type Listening = {
  readonly events: readonly string[];
  place: () => string | undefined;
  end: () => Promise<void>;
};

/** Listens for a partner; what ends the stream for good ends the promise with an error. */
export function listen(
  baseUrl: string,
  { partnerID, publicKey, privateKeyPem }: DemoPartner,
  keys: readonly { keyId: string; secret: string }[],
  after?: string,
): Listening {
  const ending = new AbortController();
  const events: string[] = [];
  const state: { place?: string } = {};
  const options = { baseUrl, partnerID, publicKey, privateKeyPem, keys, signal: ending.signal };
  const run = async () => {
    for await (const { place, event } of streamEvents(after === undefined ? options : { ...options, after })) {
      state.place = place;
      if (event !== undefined) events.push(event.eventId);
    }
  };
  const running = run();
  running.catch(() => undefined);
  return {
    events,
    place: () => state.place,
    end: async () => {
      ending.abort();
      await running;
    },
  };
}

/** What somebody who calls all the time was answered. */
export type Calls = {
  readonly ok: number;
  /** By the proxy. */
  readonly held: number;
  /** By a cell that was too busy: nothing was done. */
  readonly busy: number;
  readonly failed: readonly string[];
};

/**
 * Creates payments one after another until it is stopped, each call as it is: nothing is repeated. They are cancelled at the cell
 * itself: one that stayed open would have to expire before the partner is moved.
 */
export function keepCalling(baseUrl: string, cellUrl: string, partner: DemoPartner) {
  const client = clientAt(baseUrl, partner, 1);
  const direct = clientAt(cellUrl, partner);
  const calls = { ok: 0, held: 0, busy: 0, failed: [] as string[] };
  const state = { stopped: false };
  const run = async () => {
    while (!state.stopped) {
      try {
        const { id } = await client.createCardPayment(orderOf(partner, '5.00'));
        calls.ok += 1;
        await direct.cancelCardPayment(id);
      } catch (error) {
        if (error instanceof ApiError && error.status === 503 && error.requestId === undefined) calls.held += 1;
        else if (error instanceof ApiError && error.status === 503) calls.busy += 1;
        else calls.failed.push(String(error));
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const running = run();
  const stop = async (): Promise<Calls> => {
    state.stopped = true;
    await running;
    client.close();
    direct.close();
    return calls;
  };
  return { stop, held: () => calls.held };
}
