import { z } from 'zod';
import { ROLES, type Role } from '@pay/shared/operators/roles.ts';
import type { RefundLimits } from './domain/proposal/proposal.ts';

const DEFAULT = 'support=0,operator=10000,finance=100000,admin=100000';
const KOPECKS_A_RUBLE = 100n;

/** `OPERATOR_REFUND_LIMIT_RUB`: whole rubles by role. Nobody with an unlisted role refunds anything alone. */
export const refundLimitsText = z
  .string()
  .default(DEFAULT)
  .refine((text) => parse(text) !== undefined, `must be whole rubles by role, such as ${DEFAULT}`);

/** Parses a validated setting into limits in kopecks. */
export function refundLimitsOf(text: string): RefundLimits {
  const limits = parse(text);
  if (limits === undefined) throw new Error('the limits were not validated');
  return limits;
}

function parse(text: string): RefundLimits | undefined {
  const limits: Record<Role, bigint> = { support: 0n, operator: 0n, finance: 0n, admin: 0n };
  for (const pair of text.split(',')) {
    const [, name, rubles] = /^(\w+)=(\d{1,12})$/.exec(pair.trim()) ?? [];
    const role = ROLES.find((one) => one === name);
    if (role === undefined || rubles === undefined) return undefined;
    limits[role] = BigInt(rubles) * KOPECKS_A_RUBLE;
  }
  return limits;
}
