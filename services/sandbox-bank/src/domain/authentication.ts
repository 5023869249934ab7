import type { TestCardOutcome } from '@pay/shared/sandbox/test-cards.ts';
import type { CardTraits } from './card.ts';

/** The issuer's result of a card's authentication (EMV 3-D Secure, transStatus). */
export type TransStatus = 'Y' | 'A' | 'N' | 'U' | 'R' | 'C';

/** As stored with the operation and returned to the merchant. The ids are EMV's, made up like everything here. */
export type Authentication = {
  readonly threeDsVersion: string;
  readonly transStatus: TransStatus;
  /** For Visa; the Mir cards here come without one. */
  readonly eci: string | null;
  readonly threeDsServerTransId: string;
  readonly dsTransId: string;
  readonly acsTransId: string;
};

/** What the merchant wants if the issuer does not authenticate the buyer. */
export type WhenNotAuthenticated = 'DECLINE' | 'ACCEPT';

/** The protocol version that this bank speaks. */
export const THREE_DS_VERSION = '2.2.0';

/**
 * What the issuer of a test card answers to an authentication, before anything is authorized. See
 * spec/decisions#sandbox-bank-test.
 */
export function authenticate({ outcome }: Pick<CardTraits, 'outcome'>, isBrowserSeen: boolean): TransStatus {
  const answers: Partial<Record<TestCardOutcome, TransStatus>> = {
    THREE_D_SECURE: 'C',
    THREE_DS_METHOD: isBrowserSeen ? 'Y' : 'C',
    AUTHENTICATION_ATTEMPTED: 'A',
    AUTHENTICATION_UNAVAILABLE: 'U',
    AUTHENTICATION_REJECTED: 'R',
  };
  return (outcome === null ? undefined : answers[outcome]) ?? 'Y';
}

/** The Electronic Commerce Indicator of a status; null while the buyer is on the issuer's page. */
export function eciOf(transStatus: TransStatus, cardMask: string | null): string | null {
  if (cardMask?.startsWith('4') !== true || transStatus === 'C') return null;
  if (transStatus === 'Y') return '05';
  return transStatus === 'A' ? '06' : '07';
}
