import type { Liability, TransStatus } from '@pay/contract/operator/states.ts';

/**
 * The 3-D Secure result of a card payment, as far as the bank reports it: null means not reported. Never the
 * cryptogram (CAVV), which is enough to authorize a payment.
 */
export type ThreeDs = {
  /** Version of the protocol: `2.2.0`. */
  readonly threeDsVersion: string | null;
  readonly transStatus: TransStatus | null;
  /** Electronic Commerce Indicator: two digits whose meaning depends on the scheme. */
  readonly eci: string | null;
  /** The authentication's id at the acquirer's 3DS Server. */
  readonly threeDsServerTransId: string | null;
  /** Its id at the scheme, used as evidence in disputes. */
  readonly dsTransId: string | null;
  /** Its id at the issuer. */
  readonly acsTransId: string | null;
};

/**
 * Whether the bank says that the buyer was not authenticated. An attempt with a proof counts as authenticated. False if the bank does not
 * say.
 */
export function isNotAuthenticated({ transStatus }: Pick<ThreeDs, 'transStatus'>): boolean {
  return transStatus === 'N' || transStatus === 'U' || transStatus === 'R' || transStatus === 'I';
}

/** What the bank says about a card before it is sent: where the buyer's authentication starts. */
export type ThreeDsPreparation = {
  readonly threeDsVersion: string | null;
  readonly threeDsServerTransId: string | null;
  /** The page that fingerprints the buyer's browser for the issuer (3DS Method); null: the issuer has none. */
  readonly methodUrl: string | null;
};

/** Whether the 3DS Method ran, in EMV's letters (threeDSCompInd): Y it did, N it did not, U the issuer has none. */
export function methodCompletion({ methodUrl }: ThreeDsPreparation, isDone: boolean): 'Y' | 'N' | 'U' {
  if (methodUrl === null) return 'U';
  return isDone ? 'Y' : 'N';
}

/** The bank said nothing about the authentication. */
export const NOT_TOLD: ThreeDs = {
  threeDsVersion: null,
  transStatus: null,
  eci: null,
  threeDsServerTransId: null,
  dsTransId: null,
  acsTransId: null,
};

/** Merges a newer report into what is known: fields that the new report leaves out keep their values. */
export function threeDsAfter(before: ThreeDs, told: ThreeDs): ThreeDs {
  return {
    threeDsVersion: told.threeDsVersion ?? before.threeDsVersion,
    transStatus: told.transStatus ?? before.transStatus,
    eci: told.eci ?? before.eci,
    threeDsServerTransId: told.threeDsServerTransId ?? before.threeDsServerTransId,
    dsTransId: told.dsTransId ?? before.dsTransId,
    acsTransId: told.acsTransId ?? before.acsTransId,
  };
}

/** Authenticated (05 Visa, 02 Mastercard), attempted (06 and 01); not authenticated (07 and 00), data shared only (04). */
const ECI_MEANS: Readonly<Record<string, Liability>> = {
  '05': 'ISSUER',
  '02': 'ISSUER',
  '06': 'ISSUER',
  '01': 'ISSUER',
  '07': 'MERCHANT',
  '00': 'MERCHANT',
  '04': 'MERCHANT',
};
const STATUS_MEANS = {
  Y: 'ISSUER',
  A: 'ISSUER',
  N: 'MERCHANT',
  U: 'MERCHANT',
  R: 'MERCHANT',
  I: 'MERCHANT',
  C: 'UNKNOWN',
  D: 'UNKNOWN',
} as const satisfies Record<TransStatus, Liability>;

/**
 * What an authentication means for liability. Status and indicator must agree: if either speaks against a liability shift,
 * there is none. 06 alone decides nothing, because with Mastercard it is an exemption. Source: the schemes' ECI tables, as in
 * docs.axepta.bnpparibas/x/rQHjCw.
 */
export function liabilityOf({ transStatus, eci }: Pick<ThreeDs, 'transStatus' | 'eci'>): Liability {
  const byEci = eci === null ? undefined : (ECI_MEANS[eci] ?? 'UNKNOWN');
  if (transStatus === null) return eci === '06' ? 'UNKNOWN' : (byEci ?? 'UNKNOWN');
  const byStatus = STATUS_MEANS[transStatus];
  if (byStatus === 'MERCHANT' || byEci === 'MERCHANT') return 'MERCHANT';
  return byEci === undefined || byEci === byStatus ? byStatus : 'UNKNOWN';
}
