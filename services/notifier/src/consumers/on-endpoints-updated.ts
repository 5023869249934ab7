import { EndpointsUpdated } from '@pay/contract/messages.ts';
import type { IncomingMessage } from '@pay/shared/broker/consume.ts';
import { receiveOnce } from '@pay/shared/inbox/inbox.ts';
import { saveEndpoints } from '../db/receivers.ts';
import type { Deps } from '../deps.ts';

/** Keeps a copy of the partner's callback address. Events that waited because of a dead one can go. */
export async function onEndpointsUpdated(deps: Deps, message: IncomingMessage): Promise<void> {
  const endpoints = EndpointsUpdated.parse(message.body);
  await receiveOnce(deps.db, message.messageId, (tx) => saveEndpoints(tx, endpoints));
  deps.delivery.wake();
}
