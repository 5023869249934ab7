type Numbered = { readonly merchantOrderId: string; readonly duplicateOrderId: string | null };

/** The partner's order number; empty for QR. Of a charge that failed because its number was taken, the number that it had. */
export const orderOf = ({ merchantOrderId, duplicateOrderId }: Numbered): string => duplicateOrderId ?? merchantOrderId;
