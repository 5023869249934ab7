/** How a payment is made: a card typed by the buyer, a saved card charged off session, or an SBP QR. */
export const PAYMENT_METHODS = ['CARD', 'CARD_BINDING', 'SBP_DYNAMIC_QR'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** What `/api/card` is about: another method's payment is not there. */
export const CARD_METHODS: readonly PaymentMethod[] = ['CARD', 'CARD_BINDING'];
/** What `/api/qr` is about. */
export const QR_METHODS: readonly PaymentMethod[] = ['SBP_DYNAMIC_QR'];
