/**
 * What every answer of every listener carries, errors too. Kept by nobody on the way; taken for nothing that it does not say it is;
 * asked for by TLS only from now on (RFC 6797; over plain http browsers ignore it). A page adds its own policy.
 */
export const ANSWER_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
} as const;
