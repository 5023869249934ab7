import { PaymentCompleted, PaymentFailed } from '@pay/contract/messages.ts';
import type { Handle } from '@pay/shared/broker/consume.ts';
import type { Db } from '@pay/shared/postgres/db.ts';
import { noteReceived, receiveOnce } from '@pay/shared/inbox/inbox.ts';
import { createBinding } from '../use-cases/create-binding.ts';
import { finishCharge } from '../use-cases/finish-charge.ts';

type Deps = { readonly db: Db };

/** A first payment that saved a card creates a binding; a charge of a binding ends. Other payments are ignored. */
export function onPaymentCompleted(deps: Deps): Handle {
  return async ({ messageId, body }) => {
    const { partnerId, paymentId, bindingId, savedCard, ...message } = PaymentCompleted.parse(body);
    const occurredAt = new Date(message.occurredAt);
    if (savedCard !== undefined) {
      await receiveOnce(deps.db, messageId, (tx) => createBinding(tx, partnerId, savedCard, occurredAt));
    } else if (bindingId !== undefined) {
      const result = { bindingId, paymentId, status: 'COMPLETED', failureCode: null, occurredAt } as const;
      await finishCharge(deps.db, messageId, result);
    } else {
      await noteReceived(deps.db, messageId);
    }
  };
}

/** A failed charge frees the slot and leaves the schedule as it is. */
export function onPaymentFailed(deps: Deps): Handle {
  return async ({ messageId, body }) => {
    const { paymentId, bindingId, status, failureCode, ...message } = PaymentFailed.parse(body);
    if (bindingId === undefined) {
      await noteReceived(deps.db, messageId);
      return;
    }
    const result = { bindingId, paymentId, status, failureCode, occurredAt: new Date(message.occurredAt) };
    await finishCharge(deps.db, messageId, result);
  };
}
