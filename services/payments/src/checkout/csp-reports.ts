import { Counter } from 'prom-client';
import type { RequestHandler } from 'express';
import { z } from 'zod';
import { rawBody } from '@pay/shared/http/app.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import type { CheckoutPort } from './port.ts';
import { refuseFor, sourceOf } from './request.ts';

/** Where browsers report what our policy blocked. */
export const CSP_REPORTS = '/csp-reports';

/** A report takes a few hundred bytes; longer ones do not come from a browser. */
const BODY_BYTES_MAX = 16 * 1024;
/** Browsers send several reports at once. */
const REPORTS_MAX = 10;

/** The directives of our policy. Any other name, from a browser or an attacker, counts as `other`: their text never becomes a label. */
const DIRECTIVES = [
  'default-src',
  'style-src',
  'style-src-attr',
  'style-src-elem',
  'script-src',
  'script-src-attr',
  'script-src-elem',
  'img-src',
  'connect-src',
  'frame-src',
  'form-action',
  'frame-ancestors',
  'base-uri',
] as const;

const reported = new Counter({
  name: 'csp_reports_total',
  help: 'Violations of our Content Security Policy that browsers reported, by directive: an injected script, or an extension.',
  labelNames: ['directive'],
  registers: [registry],
});
// A rise is seen only from a first value.
for (const directive of [...DIRECTIVES, 'other']) reported.inc({ directive }, 0);

/** The Reporting API (`report-to`) and CSP level 2 (`report-uri`). Other fields are ignored. */
const NewReport = z.object({
  type: z.literal('csp-violation'),
  body: z.object({ effectiveDirective: z.string(), blockedURL: z.string().optional() }),
});
const OldReport = z.object({
  'csp-report': z.object({
    'effective-directive': z.string().optional(),
    'violated-directive': z.string().optional(),
    'blocked-uri': z.string().optional(),
  }),
});

type Violation = { readonly directive: string; readonly blocked: string };

/**
 * POST of a browser's reports. They are counted and logged without the page's address, which contains the buyer's link, and with
 * only the origin of what was blocked. Always 204: senders learn nothing.
 */
export function takeCspReports(port: CheckoutPort): RequestHandler {
  return (req, res) => {
    refuseFor(port.limits.report(sourceOf(port, req)));
    for (const violation of violationsOf(rawBody(req))) tell(port.log, violation);
    res.status(204).end();
  };
}

function tell(log: Log, { directive, blocked }: Violation): void {
  reported.inc({ directive });
  log.warn('a browser reported a Content Security Policy violation', { directive, blocked });
}

function violationsOf(body: Buffer): Violation[] {
  if (body.length > BODY_BYTES_MAX) return [];
  let given: unknown;
  try {
    given = JSON.parse(body.toString('utf8'));
  } catch {
    return [];
  }
  const reports: unknown[] = Array.isArray(given) ? given.slice(0, REPORTS_MAX) : [given];
  return reports.flatMap((report) => {
    const modern = NewReport.safeParse(report);
    if (modern.success) return [violation(modern.data.body.effectiveDirective, modern.data.body.blockedURL)];
    const old = OldReport.safeParse(report);
    if (!old.success) return [];
    const { 'csp-report': told } = old.data;
    return [violation(told['effective-directive'] ?? told['violated-directive'] ?? '', told['blocked-uri'])];
  });
}

function violation(directive: string, blocked = ''): Violation {
  const [name] = directive.split(' ');
  return { directive: DIRECTIVES.find((known) => known === name) ?? 'other', blocked: originOf(blocked) };
}

/** Keywords such as `inline` and `eval` unchanged; an address is cut to its origin, without query and link. */
function originOf(blocked: string): string {
  if (/^[a-z-]{1,20}$/.test(blocked)) return blocked;
  const url = URL.parse(blocked);
  if (url === null) return 'unreadable';
  return url.origin === 'null' ? url.protocol.slice(0, 20) : url.origin.slice(0, 200);
}
