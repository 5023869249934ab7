// As in `types.ts`: the records of the API as this client hands them over.

/** `GET /api/integration/payment-points`. */
export type PaymentPoint = {
  readonly paymentPointID: string;
  readonly storeID: string;
  readonly name: string;
  readonly status: 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
  readonly paymentMethods: readonly ('CARD' | 'SBP_DYNAMIC_QR')[];
};

/** Events that are sent to who switched them on. */
export type ExtraEvent =
  | 'binding.expired'
  | 'register.ready'
  | 'withdrawal-register.ready'
  | `withdrawal.${'requested' | 'in_review' | 'approved' | 'completed' | 'rejected' | 'cancelled' | 'failed'}`;

/** Where events go, and where buyers go back to. */
export type NewEndpoints = {
  readonly callbackUrl: string;
  readonly returnUrl: string;
  /** Sent beside the eight. Left out: as it was; `[]`: none. */
  readonly extraEvents?: readonly ExtraEvent[];
};

/** The saved addresses; null before the first save. */
export type Endpoints = {
  readonly callbackUrl: string | null;
  readonly returnUrl: string | null;
  /** What is switched on; absent when nothing is. */
  readonly extraEvents?: readonly ExtraEvent[];
  readonly updatedAt: string | null;
};

/** `POST /api/integration/callback-secret`. Store `secret` before you do anything else: it is not shown again. */
export type CallbackSecret = {
  /** Base64 of 32 bytes. */
  readonly secret: string;
  readonly keyId: string;
  readonly algorithm: 'HMAC-SHA256';
  readonly signatureHeader: 'X-Service-Signature';
  readonly issuedAt: string;
  /** Until then a repeat with the same Idempotency-Key returns the same secret. */
  readonly replayUntil: string;
};
