import type { PartnerId } from '@pay/shared/identities/identities.ts';

type Challenge = {
  readonly challengeId: string;
  /** The portal's own origin, as browsers see it. */
  readonly origin: string;
  readonly partnerId: PartnerId;
  readonly expiresAt: Date;
};

/**
 * The text that is signed to sign in: one line for people to read, `pay-portal-sign-in <origin> <partner> <id> <expiry>`.
 * No signed request begins like this: its first part is digits only. The command line signs nothing else of this shape.
 */
export const portalChallengeText = ({ challengeId, origin, partnerId, expiresAt }: Challenge): string =>
  ['pay-portal-sign-in', origin, partnerId, challengeId, expiresAt.toISOString()].join(' ');
