import { until } from '../world.ts';
import type { Load } from './load.ts';
import type { DrillSystem } from './system.ts';

/** An exception of the kind MISSING_HERE, as an operator sees it. */
type Unknown = { readonly exceptionId: string; readonly operationId: string };

/** What reconciliation found and finance did. */
export type Recovery = {
  /** The bank's total of the day less ours, before and after. */
  readonly differenceBefore: string;
  readonly differenceAfter: string;
  readonly bookedPayments: readonly string[];
  readonly bookedRefunds: readonly string[];
  readonly returned: readonly string[];
};

const ROUTE = 'sandbox-bank';

async function reconcile({ operator }: DrillSystem, days: readonly string[]): Promise<string> {
  const differences: string[] = [];
  for (const date of days) {
    const { status, difference } = await operator('olga', 'reconciliations', 'create', '--date', date, '--route', ROUTE);
    if (status !== 'COMPLETED') throw new Error(`${date} could not be compared`);
    differences.push(String(difference));
  }
  return differences.join(', ');
}

async function listUnknown({ operator }: DrillSystem): Promise<Unknown[]> {
  const found: Unknown[] = [];
  let token: unknown;
  do {
    const more = typeof token === 'string' ? ['--page-token', token] : [];
    const query = ['--status', 'OPEN', '--kind', 'MISSING_HERE', '--limit', '100', ...more];
    const { items, nextPageToken } = await operator('olga', 'exceptions', 'list', ...query);
    found.push(...(items as Unknown[]));
    token = nextPageToken;
  } while (typeof token === 'string');
  return found;
}

/** Waits until a query finds no row. */
const untilNone = (what: string, query: DrillSystem['query'], sql: string): Promise<true> =>
  until(what, async () => ((await query(sql)).length === 0 ? true : undefined));

/** Waits until the worker has read back what the restored database still had open. */
const untilReadBack = ({ query }: DrillSystem) =>
  untilNone(
    'open payments to be read back',
    query,
    `select from payments.payments where next_read_at <= now() and status in ('SUBMITTED', 'PENDING')`,
  );

/**
 * What the runbook says: reconciles the days, books the refunds of payments that we know, books every second unknown payment as if
 * its partner had named the order, and returns the others. Charges are returned: their bindings do not know them.
 */
export async function recover(system: DrillSystem, load: Load, days: readonly string[]): Promise<Recovery> {
  const { operator, query, world } = system;
  await untilReadBack(system);
  const differenceBefore = await reconcile(system, days);
  const unknown = await listUnknown(system);
  const orders = new Map(load.orders.map((order) => [order.paymentId ?? '', order]));
  const [bookedPayments, bookedRefunds, returned]: [string[], string[], string[]] = [[], [], []];
  const book = (exceptionId: string, ...more: readonly string[]) => operator('olga', 'exceptions', 'book', exceptionId, ...more);

  const atBank = await readAtBank(system, unknown);
  const payments = unknown.filter(({ operationId }) => atBank.get(operationId)?.kind !== 'REFUND');
  for (const [index, { exceptionId, operationId }] of payments.entries()) {
    const order = orders.get(operationId);
    if (atBank.get(operationId)?.status !== 'APPROVED') await operator('olga', 'exceptions', 'settle', exceptionId, '--note', 'Never paid');
    else if (order !== undefined && index % 2 === 0) {
      const details = ['--order', order.orderID, '--customer', 'buyer-1', '--method', 'CARD'];
      await book(exceptionId, '--point', world.partner.paymentPoints.card, ...details);
      bookedPayments.push(operationId);
    } else {
      await operator('olga', 'exceptions', 'return', exceptionId);
      returned.push(operationId);
    }
  }
  for (const { exceptionId, operationId } of await listUnknown(system)) {
    await book(exceptionId);
    bookedRefunds.push(operationId);
  }
  await untilNone('money to be returned', query, `select from payments.money_returns where status = 'PENDING'`);
  const differenceAfter = await reconcile(system, days);
  return { differenceBefore, differenceAfter, bookedPayments, bookedRefunds, returned };
}

type AtBank = { readonly id: string; readonly kind: string; readonly status: string };

/** What the register says about each. An operator reads it in the exception's reason. */
async function readAtBank({ queryBank }: DrillSystem, unknown: readonly Unknown[]): Promise<Map<string, AtBank>> {
  const ids = unknown.map(({ operationId }) => operationId);
  const rows = await queryBank<AtBank>(
    `select operation_id as id, kind, status from sandbox_bank.operations where operation_id = any($1)`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}
