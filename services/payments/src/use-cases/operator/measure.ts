import { Gauge } from 'prom-client';
import { EXCEPTION_KINDS } from '@pay/contract/operator/states.ts';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import {
  countLateReads,
  countOpenExceptions,
  countOpenReturns,
  readReconciliationAges,
  readSuspenseKopecks,
  type ReconciliationAge,
} from '../../db/operator/measures.ts';
import type { Deps } from '../../deps.ts';

/** As often as Prometheus usually asks. */
const INTERVAL_MS = 15_000;

const suspense = new Gauge({
  name: 'money_in_suspense_kopecks',
  help: 'Money that banks took and that belongs to no order, until it is returned, as every replica sees it.',
  registers: [registry],
});

const openReturns = new Gauge({
  name: 'money_returns_open',
  help: 'Returns of such money that the bank has not confirmed or refused.',
  registers: [registry],
});

const lateReads = new Gauge({
  name: 'read_backs_late',
  help: 'Payments whose outcome should have been asked for a minute ago or earlier, as every replica sees them; at most 10000.',
  registers: [registry],
});

const openExceptions = new Gauge({
  name: 'exceptions_open',
  help: "Differences between a bank's books and ours that wait for a person, by kind.",
  labelNames: ['kind'],
  registers: [registry],
});

const reconciliationAge = new Gauge({
  name: 'reconciliation_age_seconds',
  help: 'Since the end of the newest day whose register was compared with our ledger, by acquiring route.',
  labelNames: ['route'],
  registers: [registry],
});

/** Measures the money that a person may have to look after. */
export function measureLoop(deps: Pick<Deps, 'db' | 'acquirerOf'>): Loop {
  return {
    name: 'measures',
    intervalMs: INTERVAL_MS,
    round: async () => {
      await measure(deps);
      return 'done';
    },
  };
}

/**
 * Sets each gauge once. A query that fails leaves its own gauge as it was, and no other.
 * @throws AggregateError with what failed, after the others were set
 */
export async function measure({ db, acquirerOf }: Pick<Deps, 'db' | 'acquirerOf'>): Promise<void> {
  const settled = await Promise.allSettled([
    // Exact up to 90 trillion rubles.
    readSuspenseKopecks(db).then((kopecks) => {
      suspense.set(Number(kopecks));
    }),
    countOpenReturns(db).then((count) => {
      openReturns.set(count);
    }),
    countLateReads(db).then((count) => {
      lateReads.set(count);
    }),
    countOpenExceptions(db).then((counts) => {
      for (const kind of EXCEPTION_KINDS) openExceptions.set({ kind }, counts.get(kind) ?? 0);
    }),
    readReconciliationAges(db).then((ages) => {
      setReconciliationAges(ages, acquirerOf);
    }),
  ]);
  const errors = settled.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []));
  if (errors.length > 0) throw new AggregateError(errors, 'not everything was measured');
}

function setReconciliationAges(ages: readonly ReconciliationAge[], acquirerOf: Deps['acquirerOf']): void {
  reconciliationAge.reset();
  for (const { routeId, connector, seconds } of ages) {
    // As in the reconciliation loop: no bank, no register.
    if (acquirerOf({ routeId, connector }) !== undefined) reconciliationAge.set({ route: routeId }, seconds);
  }
}
