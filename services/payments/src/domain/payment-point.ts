export type PaymentPointStatus = 'ACTIVE' | 'SUSPENDED' | 'CLOSED';
export type PointMethod = 'CARD' | 'SBP_DYNAMIC_QR';

/** A payment point as far as choosing one goes. */
export type PointToChoose = {
  readonly paymentPointId: string;
  readonly status: PaymentPointStatus;
  readonly paymentMethods: readonly PointMethod[];
};

export type PointChoice<P> =
  | { readonly kind: 'chosen'; readonly point: P }
  | { readonly kind: 'refused'; readonly why: 'not-found' | 'suspended' | 'several' | 'method-not-taken' };

const refused = (why: Extract<PointChoice<never>, { kind: 'refused' }>['why']) => ({ kind: 'refused', why }) as const;

/**
 * The point that takes this payment. `wanted` is what the partner asked for; without it the partner's only active point
 * is taken, and with several it has to be named. `points` are all of the partner's points, so another partner's is not
 * found, nor is a CLOSED one. Spec: payment point rule; decisions "payment point status".
 */
export function choosePoint<P extends PointToChoose>(
  points: readonly P[],
  wanted: string | undefined,
  method: PointMethod,
): PointChoice<P> {
  const named = wanted === undefined ? points : points.filter((point) => point.paymentPointId === wanted);
  const open = named.filter((point) => point.status !== 'CLOSED');
  const active = open.filter((point) => point.status === 'ACTIVE');
  const [only] = active;
  if (only === undefined) return refused(open.length > 0 ? 'suspended' : 'not-found');
  if (active.length > 1) return refused('several');
  return only.paymentMethods.includes(method) ? { kind: 'chosen', point: only } : refused('method-not-taken');
}
