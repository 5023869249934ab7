import type { Deps } from '../deps.ts';

/** The buyer pressed "cancel" on the hosted form. Does nothing when the payment can't be cancelled any more. */
export async function cancelByBuyer(deps: Deps, formToken: string): Promise<void> {
  throw new Error(`not written yet ${deps.environment}${String(formToken.length)}`);
}
