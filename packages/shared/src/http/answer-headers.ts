/**
 * Headers of every response of every listener, including errors: no caching, no content sniffing, TLS only from now on
 * (RFC 6797; browsers ignore it over plain http). A page adds its own policy.
 */
export const ANSWER_HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
} as const;
