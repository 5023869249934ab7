import type { Deps } from '../deps.ts';

/** Asks the bank what became of a payment and books the answer. */
export async function readBack(deps: Deps, paymentId: string): Promise<void> {
  throw new Error(`not written yet ${deps.environment}${paymentId}`);
}
