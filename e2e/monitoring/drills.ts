import { CALL_DRILLS } from './drills-calls.ts';
import { FACT_DRILLS } from './drills-facts.ts';
import { MONEY_DRILLS } from './drills-money.ts';
import type { Drill } from './drill.ts';

/** All drills, in their order: what moves the clock comes last. Each is over before the next begins. */
export const DRILLS: readonly Drill[] = [...CALL_DRILLS, ...FACT_DRILLS, ...MONEY_DRILLS];
