/** How a payment is made: a card typed by the buyer, a saved card charged off session, or an SBP QR. */
export type PaymentMethod = 'CARD' | 'CARD_BINDING' | 'SBP_DYNAMIC_QR';
