import { Counter } from 'prom-client';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import type { Payment } from '../../db/payment/payments.ts';
import type { Transition } from './transition.ts';

const ended = new Counter({
  name: 'payments_ended_total',
  help: 'Payments that were paid or ended without money, by method, status and failure code (empty if paid).',
  labelNames: ['method', 'status', 'failure_code'],
  registers: [registry],
});

/** Counts a transition that is committed, if it is one that the partner hears of. One that a dying process committed is missing. */
export function countEnded({ method }: Pick<Payment, 'method'>, { move, change }: Transition): void {
  if (move.event === null) return;
  ended.inc({ method, status: move.to, failure_code: change.failureCode ?? '' });
}
