import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROWS } from './faults/rows.ts';
import { startFaultSystem, type FaultSystem } from './faults/system.ts';
import { isOk, runRow, STUCK_SECONDS_MAX } from './faults/table.ts';

/**
 * The rows of docs/faults.md that finish within seconds, on a system of their own. For all rows, and for how long they may
 * be stuck on a machine of their own: `npm run test:faults`.
 */
describe('a shop sells while', () => {
  let system: FaultSystem;
  beforeAll(async () => {
    system = await startFaultSystem(() => undefined);
  });
  afterAll(() => system.remove());

  it.each(ROWS.filter(({ quick }) => quick === true).map((row) => [row.fault, row] as const))(
    '%s',
    async (_fault, row) => {
      const result = await runRow(system, row);
      expect(result).toMatchObject({ lost: [], twice: [], person: [] });
      expect(result.accepted).toBeGreaterThan(0);
      // Beside the running system and a browser everything takes longer.
      const patient = { ...row, stuckSecondsMax: 3 * (row.stuckSecondsMax ?? STUCK_SECONDS_MAX) };
      expect([row.name, result.stuckSeconds, isOk(patient, result)]).toEqual([row.name, expect.any(Number), true]);
    },
  );
});
