import type { Request, RequestHandler, Response } from 'express';
import { jsonBody, rawBody } from '@pay/shared/http/app.ts';
import { pathName } from '@pay/shared/http/path-id.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import type { Deps } from '../deps.ts';
import { withoutBuyers } from '../domain/without-buyers.ts';
import type { OperatorApi, OperatorAnswer } from '../operator-apis/operator-api.ts';
import { actOnRecord } from '../use-cases/act-on-record.ts';
import { vouchFor } from '../use-cases/vouch-for.ts';
import { refuseForbiddenContent } from './forbidden-content.ts';
import { languageOf } from '../language.ts';
import { readerOf, signedInOf } from './operator-session.ts';
import type { ForwardedRoute } from './routes.ts';

/**
 * Passes on the service's answer: its status and its bytes. An action leaves two rows in the audit log, which name no
 * buyer. The service validates the body; here it only has to be JSON without forbidden content.
 */
export function forwardRoute(deps: Deps, route: ForwardedRoute): RequestHandler {
  const call = deps.operatorApis[route.service];
  return async (req, res) => {
    const path = pathOf(route.path, req);
    if (route.method === 'get') {
      const query = req.originalUrl.indexOf('?');
      const search = query === -1 ? '' : req.originalUrl.slice(query);
      const operator = readerOf(signedInOf(res));
      send(res, await call({ method: 'GET', path: `${path}${search}`, operator, language: languageOf(req) }));
      return;
    }
    const operator = await vouchFor(deps.db, signedInOf(res));
    const body = rawBody(req);
    refuseForbiddenContent(req, body.length === 0 ? null : jsonBody(req));
    const kept = (text: string) => withoutBuyers(route.service, valueOf(text));
    const asked = body.length === 0 ? null : kept(body.toString('utf8'));
    const audited = {
      signedIn: signedInOf(res),
      action: route.action,
      subjectId: route.subject ?? subjectOf(req, asked),
      before: withoutBuyers(route.service, await readBefore(call, route, req, operator)),
      asked,
    };
    const answer = await actOnRecord(deps.db, audited, async () => {
      const method = route.method.toUpperCase();
      const result = await call({ method, path, operator, ...(body.length === 0 ? {} : { body }) });
      return { status: result.status, after: kept(result.text), result };
    });
    send(res, answer);
  };
}

async function readBefore(call: OperatorApi, route: ForwardedRoute, req: Request, operator: Operator): Promise<unknown> {
  if (route.before === undefined) return null;
  const { status, text } = await call({ method: 'GET', path: pathOf(route.before, req), operator });
  return status === 200 ? withoutHistory(valueOf(text)) : null;
}

/** The history has its own rows: repeated in each, the log would grow quadratically. */
function withoutHistory(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('history' in value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => name !== 'history'));
}

/** The target with its parameters, each escaped again, so that none can change the path. */
function pathOf(path: string, req: Request): string {
  return path.replace(/:(\w+)/g, (_match, name: string) => encodeURIComponent(pathName(req, name)));
}

/** The most specific thing that the path names; for something new, its owner. */
function subjectOf(req: Request, asked: unknown): string {
  const named = Object.values(req.params)
    .filter((value) => typeof value === 'string')
    .at(-1);
  if (named !== undefined) return named;
  const owner = typeof asked === 'object' && asked !== null ? { partnerID: '', partnerId: '', ...asked } : undefined;
  const partner = owner?.partnerID === '' ? owner.partnerId : owner?.partnerID;
  return typeof partner === 'string' && partner !== '' ? partner.slice(0, SUBJECT_LENGTH_MAX) : 'new';
}

/** Longer than any existing id. */
const SUBJECT_LENGTH_MAX = 128;

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function send(res: Response, { status, contentType, text }: OperatorAnswer): void {
  res.status(status).set('Cache-Control', 'no-store').type(contentType).send(text);
}
