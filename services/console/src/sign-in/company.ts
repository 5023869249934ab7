import { z } from 'zod';

/** What the company's own sign-in has to say of somebody before he is signed in here. */
export type CompanyRules = {
  /** The claim that names the company where one issuer serves many; undefined: the issuer is the company's alone. */
  readonly tenant: { readonly claim: 'tid' | 'hd'; readonly value: string } | undefined;
  /** Values of `acr` or `amr` of which one says that there was a second factor; undefined: none is required. */
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
 * Judges an ID token whose signature, issuer, audience and nonce were verified before (OpenID Connect Core 1.0, 3.1.3.7):
 * the address is verified there, the tenant is ours, and where a second factor is required there was one (`acr`, or `amr`
 * of RFC 8176). An operator is found by his address: whoever gets an address of ours into a token is that operator.
 */
export function judgeIdToken(idToken: string | undefined, rules: CompanyRules): CompanyVerdict {
  const refused = (reason: string): CompanyVerdict => ({ kind: 'refused', reason });
  const parsed = Claims.safeParse(payloadOf(idToken));
  if (!parsed.success) return refused('CLAIMS_MISSING');
  const claims = parsed.data;
  if (claims.email_verified !== true) return refused('EMAIL_NOT_VERIFIED');
  if (rules.tenant !== undefined && claims[rules.tenant.claim] !== rules.tenant.value) return refused('OTHER_TENANT');
  const said = [...(claims.amr ?? []), ...(claims.acr === undefined ? [] : [claims.acr])];
  if (rules.secondFactor !== undefined && !rules.secondFactor.some((one) => said.includes(one)))
    return refused('NO_SECOND_FACTOR');
  return { kind: 'accepted', claims };
}

function payloadOf(idToken: string | undefined): unknown {
  try {
    return JSON.parse(Buffer.from(idToken?.split('.')[1] ?? '', 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
