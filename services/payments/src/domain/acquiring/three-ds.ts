import type { Liability, TransStatus } from '@pay/contract/operator/states.ts';

/**
 * What 3-D Secure said about a card payment, as far as the bank tells it: what is null it did not tell. Never its
 * cryptogram (CAVV), which is good for an authorization.
 */
export type ThreeDs = {
  /** Of the protocol: `2.2.0`. */
  readonly threeDsVersion: string | null;
  readonly transStatus: TransStatus | null;
  /** Electronic Commerce Indicator: two digits whose meaning is the scheme's. */
  readonly eci: string | null;
  /** By which the acquirer's 3DS Server knows the authentication. */
  readonly threeDsServerTransId: string | null;
  /** By which the scheme knows it: what a dispute is fought with. */
  readonly dsTransId: string | null;
  /** By which the issuer knows it. */
  readonly acsTransId: string | null;
};

/** Whether the bank says that the buyer was not authenticated; an attempt with a proof is one. False where it does not say. */
export function isNotAuthenticated({ transStatus }: Pick<ThreeDs, 'transStatus'>): boolean {
  return transStatus === 'N' || transStatus === 'U' || transStatus === 'R' || transStatus === 'I';
}

/** What the bank says of a card before it is sent: what the authentication of its buyer begins with. */
export type ThreeDsPreparation = {
  readonly threeDsVersion: string | null;
  readonly threeDsServerTransId: string | null;
  /** Where the issuer wants to look at the buyer's browser first (3DS Method); null: it does not, or there is no such issuer. */
  readonly methodUrl: string | null;
};

/** Whether the 3DS Method ran, as EMV has it (threeDSCompInd): Y it did, N it did not, U the issuer has none. */
export function methodCompletion({ methodUrl }: ThreeDsPreparation, isDone: boolean): 'Y' | 'N' | 'U' {
  if (methodUrl === null) return 'U';
  return isDone ? 'Y' : 'N';
}

/** Nothing was said about the authentication. */
export const NOT_TOLD: ThreeDs = {
  threeDsVersion: null,
  transStatus: null,
  eci: null,
  threeDsServerTransId: null,
  dsTransId: null,
  acsTransId: null,
};

/** What is known once the bank has told more: what it leaves out now stays as it was. */
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
 * What an authentication means for liability. Status and indicator have to agree: where one of them is against a shift, there
 * is none. 06 alone says nothing, because with Mastercard it is an exemption. Source: the schemes' ECI tables, as in
 * docs.axepta.bnpparibas/x/rQHjCw.
 */
export function liabilityOf({ transStatus, eci }: Pick<ThreeDs, 'transStatus' | 'eci'>): Liability {
  const byEci = eci === null ? undefined : (ECI_MEANS[eci] ?? 'UNKNOWN');
  if (transStatus === null) return eci === '06' ? 'UNKNOWN' : (byEci ?? 'UNKNOWN');
  const byStatus = STATUS_MEANS[transStatus];
  if (byStatus === 'MERCHANT' || byEci === 'MERCHANT') return 'MERCHANT';
  return byEci === undefined || byEci === byStatus ? byStatus : 'UNKNOWN';
}
