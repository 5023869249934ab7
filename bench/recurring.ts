import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { decrypt, encrypt, singleKey } from '../packages/shared/src/encryption/encryption.ts';
import { payAtCheckout } from '../tools/system/buyer.ts';
import { processUrls } from '../tools/system/environment.ts';
import { clientOf } from '../tools/system/partner.ts';
import type { SystemState } from '../tools/system/state.ts';
import { withRange, type Report } from './figures.ts';
import { startBenchProcess } from './processes/start.ts';
import { processorTimeTable, watchEverything } from './processor-time.ts';
import { table } from './table.ts';
import { inRounds, LOAD_HEADER, loadFigures, loadRow, ratioFigure, ROUNDS_TEXT } from './rounds.ts';
import { withSystem, type World } from './world.ts';

/** Each is charged once: more than the system can charge during the bench. */
const BINDINGS = 20_000;

/**
 * Charges of saved cards by turns with card creates, both through the whole system. A create registers; a charge takes
 * money.
 */
export async function benchRecurring(): Promise<Report> {
  const bank = await startBenchProcess('bank');
  const ourBank = { SANDBOX_BANK_URL: bank.url };
  return withSystem({ env: { payments: ourBank, checkout: ourBank } }, async (world) => {
    const { partner, state } = world;
    const bindingIds = await saveCards(world);
    const { card } = state.partner.paymentPoints;
    let next = 0;
    const charge = (): Promise<void> => {
      const bindingId = bindingIds[next];
      next += 1;
      if (bindingId === undefined) throw new Error('every saved card was charged: the bench needs more');
      return partner.charge(bindingId);
    };
    const read = await watchEverything(world, { bank });
    const [creates = [], charges = []] = await inRounds([
      { one: () => partner.create(card), read },
      { one: charge, read },
    ]);
    const ratio = ratioFigure('charges ÷ creates', charges, creates);
    const text = [
      `${ROUNDS_TEXT} A charge is one request, the bank's approval and the booking among it. The bank is the bench's own: it approves at once.`,
      '',
      table(LOAD_HEADER, [
        loadRow('card creates, signed, through gateway, payments and bank', creates),
        loadRow('charges of saved cards, signed, through gateway, bindings, payments and bank', charges),
      ]),
      '',
      `Charges ÷ creates, round by round: ${withRange(ratio.values)} (target ≥ 0.6).`,
      '',
      processorTimeTable([
        ['a create', creates],
        ['a charge', charges],
      ]),
    ].join('\n');
    return { text, figures: [...loadFigures('creates', creates), ...loadFigures('charges', charges), ratio] };
  }).finally(() => {
    bank.stop();
  });
}

/** One card saved by a buyer, and as many copies of that first payment as the bench charges, all due. */
async function saveCards({ state }: World): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: state.databaseAdminUrl });
  await client.connect();
  try {
    const first = await savedByBuyer(state, client);
    const key = singleKey('k1', Buffer.from(state.secrets.encryptionKeys.payments, 'base64'));
    const token = decrypt(key, first.token, `card-token:${first.bindingId}`);
    const bindingIds = Array.from({ length: BINDINGS }, () => randomUUID());
    const paymentIds = bindingIds.map(() => randomUUID());
    const tokens = bindingIds.map((bindingId) => encrypt(key, token, `card-token:${bindingId}`));
    const ids = 'unnest($2::uuid[], $3::uuid[], $4::text[]) as id(payment_id, binding_id, token)';
    const values = [first.bindingId, paymentIds, bindingIds, tokens];
    await client.query(
      `insert into payments.payments
       select (jsonb_populate_record(p, jsonb_build_object('payment_id', id.payment_id, 'binding_id', id.binding_id,
         'merchant_order_id', id.payment_id, 'form_token', id.payment_id))).*
       from payments.payments p cross join ${ids} where p.binding_id = $1`,
      values,
    );
    await client.query(
      `insert into payments.saved_cards
       select (jsonb_populate_record(s, jsonb_build_object('payment_id', id.payment_id, 'binding_id', id.binding_id,
         'card_token_encrypted', id.token))).*
       from payments.saved_cards s cross join ${ids} where s.binding_id = $1`,
      values,
    );
    await client.query(
      `insert into bindings.bindings
       select (jsonb_populate_record(b, jsonb_build_object('binding_id', id.binding_id, 'last_charged_at',
         '2020-01-01T00:00:00Z', 'next_charge_at', '2020-02-01T00:00:00Z'))).*
       from bindings.bindings b cross join unnest($2::uuid[]) as id(binding_id) where b.binding_id = $1`,
      [first.bindingId, bindingIds],
    );
    await client.query('analyze payments.payments, payments.saved_cards, bindings.bindings');
    return bindingIds;
  } finally {
    await client.end();
  }
}

async function savedByBuyer(state: SystemState, database: pg.Client): Promise<{ bindingId: string; token: string }> {
  const client = clientOf(processUrls(state, 'gateway', 1).url, state.partner);
  try {
    const { paymentUrl } = await client.createCardPayment({
      paymentPointID: state.partner.paymentPoints.card,
      orderID: `bench-${randomUUID()}`,
      amount: '10.50',
      currency: 'RUB',
      description: 'bench',
      customerID: 'bench',
      savePaymentMethod: true,
      recurringConsent: { period: 'P1M' },
    });
    await payAtCheckout(paymentUrl ?? '', { number: '4111111111111111', expiry: '12/34', cvv: '123' }, { agree: true });
    for (;;) {
      const { rows } = await database.query<{ bindingId: string; token: string }>(
        `select binding_id as "bindingId", card_token_encrypted as token
         from payments.saved_cards join bindings.bindings using (binding_id)`,
      );
      if (rows[0] !== undefined) return rows[0];
    }
  } finally {
    client.close();
  }
}
