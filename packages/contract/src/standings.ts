import { z } from 'zod';
import { PARTNER_STATUSES } from './operator/states.ts';

/**
 * What the gateway reports to payments about a partner. `revision` numbers the gateway's changes to partners, as a
 * decimal string: payments ignores a number that is not greater than the last, so calls may arrive in any order. See
 * decisions/suspension.
 */
export const PartnerStanding = z.strictObject({
  status: z.enum(PARTNER_STATUSES),
  revision: z
    .string()
    .regex(/^\d{1,18}$/)
    .transform(BigInt),
});
