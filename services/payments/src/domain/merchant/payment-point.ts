import type { PointMethod, PointStatus } from '@pay/contract/states.ts';

/** What is needed of a payment point to choose one. */
export type PointToChoose = {
  readonly paymentPointId: string;
  readonly status: PointStatus;
  readonly paymentMethods: readonly PointMethod[];
};

export type PointChoice<P> =
  | { readonly kind: 'chosen'; readonly point: P }
  /** The request is valid, but these points are suspended. */
  | { readonly kind: 'suspended'; readonly points: readonly [P, ...P[]] }
  | { readonly kind: 'refused'; readonly why: 'not-found' | 'several' | 'method-not-taken' };

const refused = (why: Extract<PointChoice<never>, { kind: 'refused' }>['why']) => ({ kind: 'refused', why }) as const;

/**
 * The point that takes this payment. `wanted` is the one that the partner named. Without it the partner's only active point
 * is used; a partner with several must name one. `points` are all points of this partner, so another partner's point is not
 * found, nor is a CLOSED one. See spec/service-contract#card-payment-create-request/paymentpointid and
 * spec/decisions#payment-point-status.
 */
export function choosePoint<P extends PointToChoose>(
  points: readonly P[],
  wanted: string | undefined,
  method: PointMethod,
): PointChoice<P> {
  const named = wanted === undefined ? points : points.filter((point) => point.paymentPointId === wanted);
  const open = named.filter((point) => point.status !== 'CLOSED');
  const active = open.filter((point) => point.status === 'ACTIVE');
  if (open.length === 0) return refused('not-found');
  if (active.length > 1) return refused('several');
  const [point, ...rest] = (active.length === 1 ? active : open).filter((one) => one.paymentMethods.includes(method));
  if (point === undefined) return refused('method-not-taken');
  return active.length === 1 ? { kind: 'chosen', point } : { kind: 'suspended', points: [point, ...rest] };
}
