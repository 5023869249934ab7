import { mediaTypeOf } from '@pay/shared/http/media-type.ts';
import type { Answer } from '@pay/shared/service-client/ask-replica.ts';

/**
 * Whether the service itself answered: it names the request, never redirects, and says in JSON what it refuses. Anything else comes from
 * what
 * stands in front of it, and says nothing about the request: a balancer's 404 would tell a partner that a payment is not there, or that a
 * command did nothing.
 */
export function isOwnAnswer({ status, headers }: Pick<Answer, 'status' | 'headers'>, requestId: string): boolean {
  if (headers['x-request-id'] !== requestId) return false;
  const given = headers['content-type'];
  const mediaType = typeof given === 'string' ? mediaTypeOf(given) : undefined;
  if (status >= 400) return mediaType === 'application/json';
  return status < 300 && mediaType !== undefined && OWN_TYPES.has(mediaType);
}

/** Of what a partner can ask for: records, registers, the event stream. */
const OWN_TYPES: ReadonlySet<string> = new Set(['application/json', 'text/csv', 'text/event-stream']);
