import { z } from 'zod';

/** What the company's own sign-in must confirm about a person before they are signed in here. */
export type CompanyRules = {
  /** The claim that names the company if one issuer serves many; undefined: the issuer belongs to the company alone. */
  readonly tenant: { readonly claim: 'tid' | 'hd'; readonly value: string } | undefined;
  /** Values of `acr` or `amr`, any of which proves a second factor; undefined: none is required. */
  readonly secondFactor: readonly string[] | undefined;
};

const Claims = z.object({
  sub: z.string().min(1),
  email: z.email(),
  email_verified: z.boolean().optional(),
  tid: z.string().optional(),
  hd: z.string().optional(),
  acr: z.string().optional(),
  amr: z.array(z.string()).optional(),
  name: z.string().optional(),
});
type Claims = z.infer<typeof Claims>;

export type CompanyVerdict =
  | { readonly kind: 'accepted'; readonly claims: Claims }
  /** Names the claim; for the audit log. */
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Checks an ID token whose signature, issuer, audience and nonce are already verified (OpenID Connect Core 1.0,
 * 3.1.3.7): its address is verified, the tenant is ours, and a required second factor was used (`acr`, or `amr` of RFC
 * 8176). An operator is found by address: whoever gets one of our addresses into a token is that operator.
 */
export function judgeIdToken(idToken: string | undefined, rules: CompanyRules): CompanyVerdict {
  const refused = (reason: string): CompanyVerdict => ({ kind: 'refused', reason });
  const parsed = Claims.safeParse(payloadOf(idToken));
  if (!parsed.success) return refused('CLAIMS_MISSING');
  const claims = parsed.data;
  if (claims.email_verified !== true) return refused('EMAIL_NOT_VERIFIED');
  if (rules.tenant !== undefined && claims[rules.tenant.claim] !== rules.tenant.value) return refused('OTHER_TENANT');
  const said = [...(claims.amr ?? []), ...(claims.acr === undefined ? [] : [claims.acr])];
  if (rules.secondFactor !== undefined && !rules.secondFactor.some((one) => said.includes(one))) return refused('NO_SECOND_FACTOR');
  return { kind: 'accepted', claims };
}

function payloadOf(idToken: string | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(idToken?.split('.')[1] ?? '', 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
