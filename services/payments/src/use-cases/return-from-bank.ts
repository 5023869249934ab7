import type { Deps } from '../deps.ts';

/** The buyer came back from the bank's 3-D Secure page: asks the bank how it went. Its own word about it is not taken. */
export async function returnFromBank(deps: Deps, formToken: string): Promise<void> {
  throw new Error(`not written yet ${deps.environment}${String(formToken.length)}`);
}
