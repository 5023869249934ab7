import { UNBOOKED } from '../../db/payment/leases.ts';
import type { Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import type { ChannelResult } from '../../domain/acquiring/acquirer-result.ts';
import { findChannel } from '../acquiring/acquirer-of.ts';
import { underLease } from './under-lease.ts';

/** Withdraws an order at its bank, which says how it stands afterwards. `fenced` while another process is at it. */
export async function withdrawOrder(
  deps: Deps,
  { paymentId, routeId }: Pick<Payment, 'paymentId' | 'routeId'>,
): Promise<ChannelResult> {
  const channel = await findChannel(deps, routeId);
  if (channel === undefined) return { kind: 'not-sent' };
  return underLease(deps, paymentId, UNBOOKED, (fence) => channel.cancel(paymentId, fence));
}
