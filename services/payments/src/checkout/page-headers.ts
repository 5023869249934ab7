import type { RequestHandler } from 'express';

/**
 * The headers of every response of the checkout. Nothing is loaded from, sent to or framed by third parties; nothing is
 * cached; no address leaks through a referrer. A literal table: the whole policy on one screen, checked by a test.
 */
export const PAGE_HEADERS = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    // For the hidden frame of the 3DS Method, whose own policy names the issuer (`three-ds-method.ts`).
    "frame-src 'self'",
    // Strict on purpose. Chrome and Safari would block a form whose response redirects to the shop, so the
    // response redirects to our own page, and the buyer leaves from there by a link.
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    // The Reporting API, and its predecessor for browsers without it.
    'report-to csp',
    'report-uri /csp-reports',
  ].join('; '),
  'Reporting-Endpoints': 'csp="/csp-reports"',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex, nofollow',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  'Permissions-Policy':
    'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
} as const;

export const pageHeaders: RequestHandler = (_req, res, next) => {
  res.set(PAGE_HEADERS);
  next();
};
