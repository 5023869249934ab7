import type { BindingFact } from '@pay/contract/messages.ts';

/**
 * `data` of binding.created and binding.revoked. See
 * spec/service-contract#data-of-bindingcreated-bindingrevoked-has-the-same-signature-rules. It involves no bank
 * operation.
 */
export function renderBindingEvent(message: BindingFact): Readonly<Record<string, unknown>> {
  return {
    bindingId: message.bindingId,
    customerId: message.customerId,
    status: message.status,
    consentId: message.consentId,
    period: message.period,
    nextChargeAt: message.nextChargeAt,
    bankOperationId: null,
    occurredAt: message.occurredAt,
  };
}
