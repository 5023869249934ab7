import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { rublesInput } from '@pay/contract/fields.ts';
import { parseJson, type JsonNumber } from '@pay/shared/json/json-body.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import { listen, type Listener } from '@pay/shared/http/server.ts';
import { testConsoleKey } from '../../../../../packages/shared/test/operators.ts';
import { startTestApp, type TestApp } from '../../../test/app.ts';
import { findPayment } from '../../db/payment/payments.ts';
import { createOperatorApp, OPERATOR_AUDIENCE } from '../operator/app.ts';
import { renderCardPayment } from './render-card-payment.ts';
import { renderQrPayment } from './render-qr-payment.ts';
import { renderRefund } from '../render-refund.ts';

let t: TestApp;
let operators: Listener;
const people = testConsoleKey();
beforeAll(async () => {
  t = await startTestApp();
  operators = await listen(createOperatorApp(t.deps, people.verifierOf(OPERATOR_AUDIENCE)), '127.0.0.1', 0);
});
afterAll(async () => {
  await operators.drain(0);
  await t.close();
});

/** A partner's day as operators download it: the amount of each payment, as it stands there. */
async function amountsInCsv(partnerId: string, date: string): Promise<ReadonlyMap<string, string>> {
  const url = `http://127.0.0.1:${String(operators.port)}/partners/${partnerId}/operations.csv?date=${date}`;
  const [header = '', ...lines] = (await (await people.fetchAs(OPERATOR_AUDIENCE, 'olga', url)).text()).split('\r\n');
  const columns = header.split(',');
  const [id, amount] = [columns.indexOf('orderId'), columns.indexOf('amount')];
  return new Map(lines.map((line) => line.split(',')).map((cells) => [cells[id] ?? '', cells[amount] ?? '']));
}

const NOW = new Date('2026-11-21T00:00:00.000Z');
const BATCH = 10_000;
const DAY_MS = 86_400_000;
/** Of every length that the field takes: 15 digits of rubles and two of kopecks. */
const randomKopecks = (index: number) => (BigInt(`0x${randomBytes(8).toString('hex')}`) % (10n ** BigInt(1 + (index % 17)) - 1n)) + 1n;
/** Without the zeros at its end that a number does not need. */
const shortest = (exact: string) => exact.replace(/\.?0+$/, '');
/** As a partner may write it: `10.50`, `10.5`. */
const tokenOf = (exact: string, index: number) => (index % 2 === 0 ? exact : shortest(exact));
const amountIn = (value: unknown) => /"amount":("?)([\d.]+)\1[,}]/.exec(JSON.stringify(value))?.[2];

it('100,000 random amounts: body, database, answer, status, refund record and CSV have the same kopecks (C18)', async () => {
  const { id } = await t.givenPayment();
  const template = await findPayment(t.deps.db, id);
  if (template === undefined) throw new Error('no payment to begin with');
  const wrong: string[] = [];
  for (let done = 0; done < 100_000; done += BATCH) {
    const exact = Array.from({ length: BATCH }, (_none, index) => renderRub(randomKopecks(index)));
    const read = exact.map((text, index) => {
      const body = parseJson(Buffer.from(`{"amount":${tokenOf(text, index)}}`)) as { amount: JsonNumber };
      return rublesInput.parse(body.amount);
    });
    // A copy of the payment for each amount, and a day for each batch; nothing else of it differs.
    const createdAt = new Date(template.createdAt.getTime() - (1 + done / BATCH) * DAY_MS);
    const rows = await t.rows(
      `insert into payments (payment_id, partner_id, payment_point_id, route_id, method, merchant_order_id, amount_kopecks,
         description, customer_id, fee_basis_points, status, form_token, expires_at, created_at)
       select gen_random_uuid(), partner_id, payment_point_id, route_id, method, '', kopecks, description, customer_id, 0,
         'CREATED', gen_random_uuid()::text, expires_at, $3
       from payments, unnest($2::bigint[]) with ordinality as given (kopecks, n) where payment_id = $1 order by n
       returning payment_id, amount_kopecks`,
      [id, read.map(String), createdAt],
    );
    const csv = await amountsInCsv(template.partnerId, createdAt.toISOString().slice(0, 10));
    for (const [index, row] of rows.entries()) {
      const amountKopecks = BigInt(String(row['amount_kopecks']));
      const payment = { ...template, amountKopecks };
      const seen = {
        database: renderRub(amountKopecks),
        status: amountIn(renderCardPayment(t.deps, payment, NOW)),
        code: amountIn(await renderQrPayment(t.deps, payment, NOW)),
        refund: amountIn(renderRefund({ ...REFUND, amountKopecks })),
        csv: csv.get(String(row['payment_id'])),
      };
      const text = exact[index] ?? '';
      const isExact =
        seen.database === text &&
        seen.status === shortest(text) &&
        seen.code === shortest(text) &&
        seen.refund === text &&
        seen.csv === text;
      if (!isExact) wrong.push(`${text}: ${JSON.stringify(seen)}`);
    }
  }
  expect(wrong).toEqual([]);
});

const REFUND = {
  refundId: randomUUID(),
  paymentId: randomUUID(),
  partnerId: 'partner-1',
  merchantRefundId: null,
  reason: null,
  receipt: null,
  status: 'PENDING',
  failureCode: null,
  bankOperationId: null,
  nextReadAt: null,
  readCount: 0,
  createdAt: NOW,
  updatedAt: NOW,
  completedAt: null,
  merchantOrderId: '',
  currency: 'RUB',
  refundedKopecks: 0n,
} as const;
