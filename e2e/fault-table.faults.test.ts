import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROWS } from './faults/rows.ts';
import { startFaultSystem, type FaultSystem } from './faults/system.ts';
import { isOk, runRow } from './faults/table.ts';

/**
 * The rows of docs/faults.md that finish within seconds, on a system of their own. For all rows: `npm run test:faults`.
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
      expect([row.name, result.stuckSeconds, isOk(row, result)]).toEqual([row.name, expect.any(Number), true]);
    },
  );
});
