import { z } from 'zod';
import { chargePeriod } from '@pay/contract/api/fields.ts';
import { ApiError, type FieldError } from '@pay/shared/errors/api-error.ts';
import { typedText } from '@pay/shared/content/typed-text.ts';
import type { Saving } from '../../domain/saved-card/saving.ts';

/** See spec/service-contract#charge-periods. */
const PERIODS = chargePeriod.options;

const moment = z.iso.datetime({ error: 'must be an ISO 8601 UTC timestamp' });

/** See spec/service-contract#recurringconsent. */
export const recurringConsent = z.strictObject(
  {
    period: z.enum(PERIODS, { error: `must be one of ${PERIODS.join(', ')}` }),
    capture: z.literal('MERCHANT', { error: 'must be MERCHANT, or left out' }).optional(),
    reference: typedText('consent.reference').optional(),
    version: typedText('consent.version').optional(),
    acceptedAt: moment.optional(),
    evidenceHash: z
      .string({ error: 'must be a string' })
      .regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 as 64 lowercase hex digits')
      .optional(),
  },
  { error: 'must be an object' },
);

export const savePaymentMethod = z.boolean({ error: 'must be true or false' });

type Consent = z.infer<typeof recurringConsent>;
type SavingFields = {
  readonly savePaymentMethod?: boolean | undefined;
  readonly recurringConsent?: Consent | undefined;
};

/** The fields that come with `capture: MERCHANT`, and only with it. */
const EVIDENCE = ['reference', 'version', 'acceptedAt', 'evidenceHash'] as const;
/** The partner's clock may run ahead by as much as a signed request's. */
const ACCEPTED_AHEAD_MS = 5 * 60_000;

/**
 * What the two fields say together about saving a card; undefined when none is to be saved. See
 * spec/decisions#save-payment-method and spec/decisions#merchant-capture.
 * @throws ApiError VALIDATION_FAILED that names every wrong field
 */
export function savingOf(body: SavingFields, now: Date): Saving | undefined {
  const details = [...pairProblems(body), ...captureProblems(body.recurringConsent, now)];
  if (details.length > 0) throw new ApiError('VALIDATION_FAILED', { details });
  const { recurringConsent: consent } = body;
  if (consent === undefined) return undefined;
  const { period, reference, version, acceptedAt, evidenceHash } = consent;
  if (reference === undefined || version === undefined || acceptedAt === undefined || evidenceHash === undefined) {
    return { period };
  }
  return { period, merchant: { reference, version, acceptedAt: new Date(acceptedAt), evidenceHash } };
}

function pairProblems({ savePaymentMethod: save, recurringConsent: consent }: SavingFields): FieldError[] {
  if (save === true && consent === undefined) {
    return [{ field: 'recurringConsent', message: 'is required with savePaymentMethod true' }];
  }
  if (save !== true && consent !== undefined) {
    return [{ field: 'savePaymentMethod', message: 'must be true with recurringConsent' }];
  }
  return [];
}

function captureProblems(consent: Consent | undefined, now: Date): FieldError[] {
  if (consent === undefined) return [];
  if (consent.capture === undefined) {
    return EVIDENCE.filter((name) => consent[name] !== undefined).map((name) => ({
      field: `recurringConsent.${name}`,
      message: 'goes with capture MERCHANT only',
    }));
  }
  const missing = EVIDENCE.filter((name) => consent[name] === undefined).map((name) => ({
    field: `recurringConsent.${name}`,
    message: 'is required with capture MERCHANT',
  }));
  const ahead = consent.acceptedAt !== undefined && Date.parse(consent.acceptedAt) > now.getTime() + ACCEPTED_AHEAD_MS;
  return [
    ...missing,
    ...(ahead ? [{ field: 'recurringConsent.acceptedAt', message: 'must not be in the future' }] : []),
  ];
}
