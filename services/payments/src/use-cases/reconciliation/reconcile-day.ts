import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import { endOfDay, startOfDay } from '@pay/shared/time/day.ts';
import type { Acquirer, AcquirerRefund } from '../../acquirers/acquirer.ts';
import { raiseException } from '../../db/reconciliation/exceptions.ts';
import {
  findOurOperations,
  listUncomparedDeclined,
  listUncomparedPayments,
  listUncomparedRefunds,
  listUncomparedReturns,
  type Uncompared,
} from '../../db/reconciliation/our-operations.ts';
import {
  completeReconciliation,
  keepReconciliation,
  saveItems,
  type Reconciliation,
  type ReconciliationItem,
} from '../../db/reconciliation/reconciliations.ts';
import type { Deps } from '../../deps.ts';
import {
  compareSides,
  exceptionKindOf,
  movedKopecks,
  type OurOperation,
  type Pair,
  type RegisterEntry,
} from '../../domain/reconciliation/reconciliation.ts';
import { readBackDay } from './read-back-day.ts';
import { findAcquirer } from '../acquiring/acquirer-of.ts';
import { returnIdOf } from '../money-return/return-id.ts';

/** Page size for our operations missing from the register. Each is read individually, so there should be few. */
const OURS_PAGE = 100;

/** The bank did not answer: the run stays open and is resumed later. */
export class RegisterUnavailable extends Error {
  override readonly name = 'RegisterUnavailable';
}

/**
 * Compares a day of a route's register with our books, in both directions, and stores the result for each operation. Differences
 * become exceptions; nothing else changes. Resumed after a crash, or run twice, it ends with the same items and
 * exceptions. The caller holds the run's lease.
 * @throws RegisterUnavailable
 */
export async function reconcileDay(deps: Deps, run: Reconciliation): Promise<Reconciliation> {
  const acquirer = await findAcquirer(deps, run.routeId);
  if (acquirer === undefined) throw new RegisterUnavailable('the route has no connector here');
  if (acquirer.readRegister === undefined) return withoutRegister(deps, run);
  let after: string | undefined;
  do {
    const page = await acquirer.readRegister(run.day, after);
    if (page.kind !== 'page') throw new RegisterUnavailable(`the register was not read: ${page.kind}`);
    await savePairs(deps, run, await pairsOf(deps, run, page.entries));
    after = page.next;
  } while (after !== undefined);
  await lookForMissing(deps, run, acquirer);
  return inTransaction(deps.db, (tx) => completeReconciliation(tx, run));
}

/** For a bank without a register: order by order. An unfinished run stays open and resumes where it stopped. */
async function withoutRegister(deps: Deps, run: Reconciliation): Promise<Reconciliation> {
  const read = await readBackDay(deps, run, (pairs) => savePairs(deps, run, pairs));
  if (read === 'unanswered') throw new RegisterUnavailable('an order could not be read back');
  return read === 'more' ? run : inTransaction(deps.db, (tx) => completeReconciliation(tx, run));
}

async function pairsOf(deps: Deps, { routeId }: Reconciliation, entries: readonly RegisterEntry[]): Promise<Pair[]> {
  const idOf = ({ operationId }: RegisterEntry) => returnIdOf(routeId, operationId);
  const found = await findOurOperations(deps.db, entries.map(idOf));
  const known = new Map(found.map((operation) => [operation.operationId, operation]));
  return entries.map((bank) => {
    const ours = known.get(idOf(bank));
    return { ours, bank: ours === undefined ? bank : { ...bank, operationId: ours.operationId } };
  });
}

/**
 * Finds our operations of the day that its register lacks. They are missing at the bank only if a direct read does not find them either.
 */
async function lookForMissing(deps: Deps, run: Reconciliation, acquirer: Acquirer): Promise<void> {
  const wanted = { run, from: startOfDay(run.day), to: endOfDay(run.day) };
  // A bank with a register knows each refund by its id.
  const asRefund = (operation: OurOperation & { readonly originalOperationId: string }): AcquirerRefund => ({
    ...operation,
    paidBy: 'UNKNOWN',
    isRepeat: true,
    money: { paid: operation.amountKopecks, returned: 0n, underWay: 0n, isAccepted: false },
  });
  await eachPage(
    wanted,
    (page) => listUncomparedPayments(deps.db, page, OURS_PAGE),
    async (operations) => {
      await saveMissing(deps, run, operations, ({ operationId }) => acquirer.read(operationId));
    },
  );
  await eachPage(
    wanted,
    (page) => listUncomparedDeclined(deps.db, page, OURS_PAGE),
    async (operations) => {
      await saveMissing(deps, run, operations, ({ operationId }) => acquirer.read(operationId));
    },
  );
  await eachPage(
    wanted,
    (page) => listUncomparedRefunds(deps.db, page, OURS_PAGE),
    async (operations) => {
      await saveMissing(deps, run, operations, (operation) => acquirer.readRefund(asRefund(operation)));
    },
  );
  await eachPage(
    wanted,
    (page) => listUncomparedReturns(deps.db, page, OURS_PAGE),
    async (operations) => {
      await saveMissing(deps, run, operations, (operation) => acquirer.readRefund(asRefund(operation)));
    },
  );
}

async function eachPage<T extends OurOperation>(
  wanted: Omit<Uncompared, 'after'>,
  list: (page: Uncompared) => Promise<T[]>,
  work: (operations: readonly T[]) => Promise<void>,
): Promise<void> {
  let after: string | undefined;
  for (;;) {
    const operations = await list({ ...wanted, after });
    await work(operations);
    after = operations.at(-1)?.operationId;
    if (operations.length < OURS_PAGE) return;
  }
}

async function saveMissing<T extends OurOperation>(
  deps: Deps,
  run: Reconciliation,
  operations: readonly T[],
  ask: (operation: T) => Promise<{ readonly kind: string }>,
): Promise<void> {
  const missing: Pair[] = [];
  for (const ours of operations) {
    const { kind } = await ask(ours);
    if (kind === 'unknown' || kind === 'not-sent') throw new RegisterUnavailable('an operation could not be asked about');
    // If the bank knows it after all, it belongs to another day, whose register lists it.
    if (kind === 'absent') missing.push({ ours, bank: undefined });
  }
  await savePairs(deps, run, missing);
}

async function savePairs(deps: Deps, run: Reconciliation, pairs: readonly Pair[]): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await keepReconciliation(tx, run.runId);
    const items = pairs.map((pair) => ({ pair, item: itemOf(run, pair) }));
    await saveItems(
      tx,
      items.map(({ item }) => item),
    );
    for (const { pair, item } of items) {
      const kind = exceptionKindOf(item.result, item.kind);
      if (kind === undefined) continue;
      const isNew = await raiseException(tx, {
        kind,
        operationId: item.operationId,
        paymentId: item.paymentId,
        routeId: run.routeId,
        day: run.day,
        reason: reasonOf(deps, run.day, pair),
        // An operator resolves a mismatch once; any other difference is raised again if it changes.
        finding: kind === 'AMOUNT_MISMATCH' || kind === 'REFUND_MISMATCH' ? '' : findingOf(item),
        bankOperationId: item.bankOperationId,
        bankAmountKopecks: item.bankAmountKopecks,
        bankCurrency: pair.bank?.currency ?? null,
        bankStatus: item.bankStatus,
        ourAmountKopecks: item.ourAmountKopecks,
        ourStatus: item.ourStatus,
      });
      if (isNew) deps.log.error('the register and our books disagree', { operationId: item.operationId, kind, day: run.day });
    }
  });
}

function itemOf({ routeId, day, runId }: Reconciliation, pair: Pair): ReconciliationItem {
  const { ours, bank } = pair;
  const known = bank ?? ours;
  const { operationId } = known;
  const result = compareSides(pair);
  return { routeId, day, runId, operationId, result, ...bothOf(known, ours), ...bankSideOf(bank), ...ourSideOf(ours) };
}

const bothOf = (known: RegisterEntry | OurOperation, ours: OurOperation | undefined) => ({
  kind: ours?.kind ?? known.kind,
  paymentId: ours?.paymentId ?? null,
  originalOperationId: 'originalOperationId' in known ? known.originalOperationId : null,
  bankOperationId: known.bankOperationId,
});
const bankSideOf = (bank: RegisterEntry | undefined) => ({
  bankStatus: bank?.status ?? null,
  bankAmountKopecks: bank?.amountKopecks ?? null,
  bankKopecks: movedKopecks(bank),
});
const ourSideOf = (ours: OurOperation | undefined) => ({
  ourStatus: ours?.status ?? null,
  ourAmountKopecks: ours?.amountKopecks ?? null,
  ourKopecks: movedKopecks(ours),
});

function findingOf({ ourStatus, ourAmountKopecks, bankStatus, bankAmountKopecks }: ReconciliationItem): string {
  return [ourStatus, ourAmountKopecks, bankStatus, bankAmountKopecks].map((fact) => String(fact ?? '-')).join(' ');
}

function reasonOf({ operationIds }: Deps, day: string, { ours, bank }: Pair): string {
  const there =
    bank === undefined
      ? 'the bank does not know it'
      : `the bank has ${bank.kind} ${bank.status} ${renderRub(bank.amountKopecks)} ${bank.currency}`;
  const here =
    ours === undefined
      ? unknownHere(operationIds.isIssued(bank.operationId))
      : `we have ${ours.kind} ${ours.status} ${renderRub(ours.amountKopecks)} RUB`;
  return `Register of ${day}: ${there}; ${here}.`;
}

const unknownHere = (isIssued: boolean): string =>
  isIssued ? 'we do not know it' : 'we do not know it, and did not issue its id: leave it to whoever did';
