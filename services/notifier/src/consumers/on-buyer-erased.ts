import { BuyerErased } from '@pay/contract/messages.ts';
import type { IncomingMessage } from '@pay/shared/broker/consume.ts';
import { receiveOnce } from '@pay/shared/inbox/inbox.ts';
import { markBuyerErased } from '../db/erasures.ts';
import type { Deps } from '../deps.ts';

/**
 * The buyer of a binding is erased here too. `use-cases/forget-erased-buyers.ts` does it, now and whenever an event
 * ends.
 */
export async function onBuyerErased(deps: Pick<Deps, 'db'>, message: IncomingMessage): Promise<void> {
  const { bindingId, partnerId } = BuyerErased.parse(message.body);
  await receiveOnce(deps.db, message.messageId, (tx) => markBuyerErased(tx, bindingId, partnerId));
}
