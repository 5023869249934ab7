import type { BuyersBinding } from '@pay/contract/answers.ts';
import type { Binding as WireBinding, RecurringPayment } from '@pay/contract/api/bindings.ts';
import type { Wire } from '@pay/contract/wire.ts';
import { renderRub } from '@pay/shared/money/money.ts';
import type { Charge } from '../db/charges.ts';
import type { Binding } from '../use-cases/read-bindings.ts';

/** See spec/service-contract#binding and spec/decisions#extra-fields-of-a-binding. */
export function renderBinding(binding: Binding): Wire<typeof WireBinding> {
  return {
    bindingId: binding.bindingId,
    customerId: binding.customerId,
    status: binding.status,
    consentId: binding.consentId,
    period: binding.period,
    lastChargedAt: binding.lastChargedAt.toISOString(),
    nextChargeAt: binding.nextChargeAt.toISOString(),
    createdAt: binding.createdAt.toISOString(),
    ...card(binding),
    ...(binding.revokedAt === null ? {} : { revokedAt: binding.revokedAt.toISOString() }),
  };
}

/** A binding for payments: for the buyer's own page, and before a charge goes to the bank. */
export function renderForBuyer(binding: Binding): Wire<typeof BuyersBinding> {
  return {
    bindingId: binding.bindingId,
    status: binding.status,
    period: binding.period,
    ...card(binding),
    nextChargeAt: binding.nextChargeAt.toISOString(),
    openPaymentId: binding.openPaymentId,
  };
}

function card({ cardMask, cardExpiry }: Binding): Pick<Wire<typeof WireBinding>, 'cardMask' | 'cardExpiry'> {
  return { ...(cardMask === null ? {} : { cardMask }), ...(cardExpiry === null ? {} : { cardExpiry }) };
}

/** See spec/service-contract#recurring-charge-response. */
export function renderRecurringPayment(charge: Charge): Wire<typeof RecurringPayment> {
  return {
    paymentId: charge.paymentId,
    merchantOrderId: charge.merchantOrderId,
    status: charge.status,
    amount: renderRub(charge.amountKopecks),
    currency: 'RUB',
    paymentMethod: 'CARD_BINDING',
    experience: 'OFF_SESSION',
    bindingId: charge.bindingId,
    createdAt: charge.createdAt.toISOString(),
    statusUrl: `/api/card/${charge.paymentId}`,
  };
}
