import type { IncomingMessage } from 'node:http';
import { partsOfUrl } from '@pay/shared/content/card-data.ts';
import { forbiddenContent } from '@pay/shared/content/forbidden-content.ts';
import { ErrorBody } from '@pay/contract/api/errors.ts';
import { pathOf } from '@pay/signing/canonical-request.ts';
import type { NewLoggedRequest } from '../db/request-log.ts';
import type { StreamedAnswer } from '../forwarding/forwarder.ts';
import type { CallRecord } from './call-record.ts';
import type { Reply } from './reply.ts';
import { findRoute } from './routes.ts';

/** Paths of the log itself: who reads it would read of nothing else. */
const OWN = /^\/api\/request(?:s|-stream)$/;
/** Longer paths are cut: no operation has one. */
const PATH_MAX = 256;

/** What stands for a path that no operation has. */
const NO_OPERATION = '(no operation)';

/**
 * What the partner may read of a request that is answered now (decisions/event-stream); undefined if it names no partner with a registered
 * key, or is about the log. What must not be stored is not in it; and of a request that the partner did not sign nothing that its
 * sender wrote, because it may be a stranger's.
 */
export function loggedRequest(req: IncomingMessage, call: CallRecord, reply: Reply | StreamedAnswer): NewLoggedRequest | undefined {
  const { partner, fingerprint, requestId, startedAt, isVerified = false } = call;
  const path = pathOf(req.url ?? '').slice(0, PATH_MAX);
  if (partner === undefined || fingerprint === undefined || OWN.test(path) || partsOfUrl(path).some(isForbidden)) return undefined;
  return {
    partnerId: partner,
    requestId,
    method: req.method ?? '',
    path: isVerified ? path : patternOf(req.method ?? '', path),
    durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
    isVerified,
    ...('sendTo' in reply ? ANSWERED : answerOf(reply, isVerified)),
  };
}

function patternOf(method: string, path: string): string {
  const route = findRoute(method, path);
  return route.kind === 'unknown' ? NO_OPERATION : route.pattern;
}

/** Of the details of a 401: those that repeat nothing of the request. The answer itself has the others. */
const OURS: ReadonlySet<string> = new Set(['cause', 'hint', 'serverTime']);

type Answered = Pick<NewLoggedRequest, 'status' | 'error' | 'code' | 'details'>;
const ANSWERED: Answered = { status: 200, error: null, code: null, details: [] };

/** The status and, of a refusal, what it says. */
function answerOf({ status, body }: Reply, isVerified: boolean): Answered {
  if (status < 400) return { ...ANSWERED, status };
  const { success, data } = ErrorBody.safeParse(jsonOf(typeof body === 'string' ? body : Buffer.from(body).toString()));
  if (!success) return { ...ANSWERED, status };
  const { error, code, details = [] } = data;
  const told = isVerified ? details : details.filter(({ field }) => OURS.has(field));
  return { status, error, code, details: isForbidden(JSON.stringify(told)) ? [] : told };
}

/** Undefined for what is not JSON: to look at an answer must not cost a partner the answer. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isForbidden = (text: string): boolean => forbiddenContent(text) !== undefined;
