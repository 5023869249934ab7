/** The five members of the Authorization header, their shape checked. See spec/service-contract#authentication. */
export type Authorization = {
  readonly partnerID: string;
  readonly key: string;
  readonly sign: string;
  readonly timestamp: string;
  readonly nonce: string;
};

/** Why a request is not authenticated. Returned in TEST only, always logged. */
export type RefusalCause =
  | 'malformed_authorization'
  | 'unknown_partner_or_key'
  | 'key_not_active'
  | 'clock_skew'
  | 'signature_mismatch'
  | 'nonce_reused';

/** See spec/service-contract#limits/clock-difference-of-signed-requests. */
export const CLOCK_DIFFERENCE_SECONDS_MAX = 300;

const RULES: Readonly<Record<keyof Authorization, { readonly pattern: RegExp; readonly rule: string }>> = {
  partnerID: { pattern: /^[\P{Cc}]{1,128}$/u, rule: 'must be the text that the service assigned' },
  key: { pattern: /^[\x20-\x7e]{1,256}$/, rule: 'must be the registered OpenSSH line' },
  sign: { pattern: /^[A-Za-z0-9+/]{86}==$/, rule: 'must be 64 bytes in standard padded base64' },
  timestamp: { pattern: /^[0-9]{1,12}$/, rule: 'must be Unix seconds, a string of 1 to 12 digits' },
  nonce: { pattern: /^[\x21-\x7e]{16,128}$/, rule: 'must be 16 to 128 visible ASCII characters' },
};
const MEMBERS = ['partnerID', 'key', 'sign', 'timestamp', 'nonce'] as const;

/**
 * Checks a parsed Authorization header: exactly five members, each a well-formed string. A fault names the member and
 * the rule, never the value.
 */
export function checkAuthorization(value: unknown): Authorization | { readonly fault: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { fault: 'must be a JSON object' };
  const given = new Map<string, unknown>(Object.entries(value));
  for (const name of MEMBERS) {
    const member = given.get(name);
    if (member === undefined) return { fault: `is missing the member ${name}` };
    if (typeof member !== 'string' || !RULES[name].pattern.test(member)) return { fault: `${name} ${RULES[name].rule}` };
  }
  if (given.size > MEMBERS.length) return { fault: 'must have exactly the members partnerID, key, sign, timestamp, nonce' };
  const text = (name: keyof Authorization): string => String(given.get(name));
  return {
    partnerID: text('partnerID'),
    key: text('key'),
    sign: text('sign'),
    timestamp: text('timestamp'),
    nonce: text('nonce'),
  };
}

/**
 * Whether a timestamp (digits, already checked) is within five minutes of `nowMs` in either direction, in whole
 * seconds.
 */
export function isWithinClockWindow(timestamp: string, nowMs: number): boolean {
  return Math.abs(Math.floor(nowMs / 1_000) - Number(timestamp)) <= CLOCK_DIFFERENCE_SECONDS_MAX;
}
