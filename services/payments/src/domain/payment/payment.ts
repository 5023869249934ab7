import type { PaymentMethod } from '@pay/contract/states.ts';

/** What `/api/card` is about: another method's payment is not there. */
export const CARD_METHODS: readonly PaymentMethod[] = ['CARD', 'CARD_BINDING'];
/** What `/api/qr` is about. */
export const QR_METHODS: readonly PaymentMethod[] = ['SBP_DYNAMIC_QR'];
