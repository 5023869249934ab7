import type { PaymentMethod } from '@pay/contract/states.ts';

/** The methods behind `/api/card`, which does not find payments of another method. */
export const CARD_METHODS: readonly PaymentMethod[] = ['CARD', 'CARD_BINDING'];
/** The methods behind `/api/qr`. */
export const QR_METHODS: readonly PaymentMethod[] = ['SBP_DYNAMIC_QR'];
