import type { CardDetails } from '../channels/channel.ts';
import type { Deps } from '../deps.ts';

/** accepted: the bank has the card, see `openForm` for what it said. not-payable: this payment takes no card (any more). */
export type PayByCardOutcome = 'accepted' | 'not-payable' | 'route-unavailable';

export type PayByCard = { readonly formToken: string; readonly card: CardDetails };

/** The buyer pressed "pay" on the hosted form. */
export async function payByCard(deps: Deps, command: PayByCard): Promise<PayByCardOutcome> {
  throw new Error(`not written yet ${deps.environment}${String(command.formToken.length)}`);
}
