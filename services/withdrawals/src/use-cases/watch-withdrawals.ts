import { Gauge } from 'prom-client';
import { clock } from '@pay/shared/postgres/clock.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { countWithdrawals } from '../db/withdrawals.ts';

const INTERVAL_MS = 15_000;
/** The statuses in which a payout request waits for a person. */
const OPEN = ['REQUESTED', 'IN_REVIEW', 'APPROVED'] as const;

const open = new Gauge({
  name: 'withdrawals_open',
  help: 'Payout requests that wait for a person, by status, as every replica sees them.',
  labelNames: ['status'],
  registers: [registry],
});

const oldest = new Gauge({
  name: 'withdrawals_oldest_seconds',
  help: 'Age of the oldest of them; 0 if there is none.',
  registers: [registry],
});

/** Measures the payout requests that wait for a person. */
export function watchWithdrawals(db: Db): Loop {
  return {
    name: 'open withdrawals',
    intervalMs: INTERVAL_MS,
    round: async () => {
      const [now, counts] = await Promise.all([
        clock(db),
        Promise.all(OPEN.map(async (status) => ({ status, counted: (await countWithdrawals(db, { status }))[0] }))),
      ]);
      for (const { status, counted } of counts) open.set({ status }, counted?.count ?? 0);
      const ages = counts.flatMap(({ counted }) => (counted === undefined ? [] : [now.getTime() - counted.oldestAt.getTime()]));
      oldest.set(Math.max(0, ...ages) / 1_000);
      return 'done';
    },
  };
}
