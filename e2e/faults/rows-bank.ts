import { setTimeout as wait } from 'node:timers/promises';
import type { FaultSystem } from './system.ts';
import type { Row } from './table.ts';

/** Injects a fault into this many calls of the sandbox bank; afterwards the rest is cleared. */
async function withFaults({ world }: FaultSystem, faults: readonly Record<string, unknown>[], seconds: number): Promise<void> {
  for (const fault of faults) await world.bank.fault(fault);
  await wait(seconds * 1_000);
  await world.bank.clearFaults();
}

/**
 * What the bank itself broke is read back within seconds (spec/decisions#unknown-outcome). A card that it never saw
 * ends the payment, and the order is withdrawn.
 */
const MAY_FAIL = { mayFail: true } as const;
/** A call that gets no answer takes its ten seconds before its outcome can be read back. */
const AFTER_THE_DEADLINE = { ...MAY_FAIL, stuckSecondsMax: 20 } as const;

export const BANK_ROWS: readonly Row[] = [
  {
    name: 'bank-errors',
    fault: 'the bank answers 500 to everything for 5 s',
    ...MAY_FAIL,
    inject: (system) => withFaults(system, [{ route: 'all', kind: 'outage', status: 500 }], 5),
  },
  {
    name: 'bank-silent',
    fault: 'the bank does 20 calls and closes the connection without an answer',
    ...MAY_FAIL,
    inject: (system) => withFaults(system, [{ route: 'all', kind: 'drop_after', times: 20 }], 5),
  },
  {
    name: 'bank-twice',
    fault: 'the bank gets 30 calls twice, as from a network that repeats',
    inject: (system) => withFaults(system, [{ route: 'all', kind: 'duplicate', times: 30 }], 5),
  },
  {
    name: 'bank-late',
    fault: 'the bank answers every authorization 8 s late, for 6 s',
    inject: (system) => withFaults(system, [{ route: 'authorize', kind: 'delay_after', delayMs: 8_000, times: 20 }], 6),
  },
  {
    name: 'bank-refused',
    fault: 'the bank’s port is closed, and every open connection reset, for 5 s',
    quick: true,
    inject: async ({ links }) => {
      await links.bank.set({ refusing: true });
      links.bank.reset();
      await wait(5_000);
      await links.bank.set({});
    },
  },
  {
    name: 'bank-half-open',
    fault: 'connections to the bank lead nowhere for ever, new ones hang for 8 s',
    ...AFTER_THE_DEADLINE,
    inject: async ({ links }) => {
      await links.bank.set({ frozen: true });
      links.bank.abandon();
      await wait(8_000);
      links.bank.abandon();
      await links.bank.set({});
    },
  },
];
