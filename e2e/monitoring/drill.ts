import type { DrillSystem } from './drill-system.ts';

/** A fault, and the alerts that it must raise. */
export type Drill = {
  /** What is done, as the table says it. */
  readonly fault: string;
  /** Each alert with its severity, as `Alert` names it. */
  readonly raises: readonly `${string} ${'page' | 'ticket'}`[];
  /** Makes the fault, keeps it up until `fired` is aborted, and undoes it. */
  readonly make: (system: DrillSystem, fired: AbortSignal) => Promise<void>;
};
