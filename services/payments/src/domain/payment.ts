/** How a payment is made: a card typed by the buyer, a saved card charged off session, or an SBP QR. */
export type PaymentMethod = 'CARD' | 'CARD_BINDING' | 'SBP_DYNAMIC_QR';

/** What `/api/card` is about: another method's payment is not there. */
export const CARD_METHODS: readonly PaymentMethod[] = ['CARD', 'CARD_BINDING'];
/** What `/api/qr` is about. */
export const QR_METHODS: readonly PaymentMethod[] = ['SBP_DYNAMIC_QR'];
