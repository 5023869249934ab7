import type { Express, Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import { PortalSession } from '@pay/contract/answers.ts';
import { createApp, jsonBody, rawBody } from '@pay/shared/http/app.ts';
import { mediaTypeOf } from '@pay/shared/http/media-type.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { TrustedProxies } from '@pay/shared/net/client-address.ts';
import type { Bundle } from '../bundle/bundle.ts';
import { FILE_FORMATS } from '../files/send-file.ts';
import { requireOwnOrigin } from '../http/own-origin.ts';
import { addNotFoundPage, addPages, type PageSet } from '../http/pages.ts';
import { withAmountsAsText } from './amounts.ts';
import { exportCardPaymentsRoute, exportQrPaymentsRoute, oneExport } from './export-payments.ts';
import { exportRegisterRoute } from './export-register.ts';
import type { GatewayAnswer, PortalGateway } from './gateway.ts';
import { listTestCardsRoute } from './test-cards.ts';
import { sessionCookie, type SessionCookie } from './session-cookie.ts';
import { shownPartner } from './shown-partner.ts';
import { signInLimit } from './sign-in-limit.ts';

export type PortalDeps = {
  readonly log: Log;
  readonly gateway: PortalGateway;
  readonly publicUrl: string;
  /** Which proxies may report a visitor's address. */
  readonly proxies: TrustedProxies;
  readonly environment: 'TEST' | 'LIVE';
};

/** The portal's pages, and the file in `web/portal/pages/` that shows each. */
export const PORTAL_PAGES: PageSet = {
  title: 'Partner portal',
  name: 'the portal',
  shownBy: {
    '/': 'payments',
    '/sign-in': 'sign-in',
    '/payments': 'payments',
    '/payments/:method/:id': 'payment',
    '/callbacks': 'callbacks',
    '/callbacks/:id': 'callback',
    '/withdrawals': 'withdrawals',
    '/registers': 'registers',
    '/integration': 'integration',
    '/keys': 'keys',
    '/requests': 'requests',
    '/test-cards': 'test-cards',
    '/test-clock': 'test-clock',
  },
  sessionCookie: 'portal',
  asksFirst: { stranger: ['session'], signedIn: ['session'] },
};

/** The paths of the gateway that the pages ask for as they are, each with the session of the browser's cookie. */
const PASSED_ON = [
  ['get', '/session'],
  ['get', '/test-clock'],
  ['get', '/keys'],
  ['post', '/keys'],
  ['post', '/keys/:keyId/revoke'],
  ['all', '/partner/{*path}'],
] as const;

/**
 * The routes of the partner portal, on its own origin. It names no partner anywhere: it exchanges the browser's cookie for
 * the header of a session, and the gateway says whose that is. See decisions/portal-sessions.
 */
export function createPortalApp(deps: PortalDeps, bundle: Bundle): Express {
  const cookie = sessionCookie(deps.publicUrl);
  return createApp({
    listener: 'portal',
    log: deps.log,
    requestIdFrom: 'edge',
    routes: (app) => {
      addPages(app, bundle, PORTAL_PAGES);
      app.use('/api', requireOwnOrigin(deps.publicUrl, 'portal'));
      const limit = signInLimit(deps.proxies);
      app.post('/api/challenges', limit, challengeRoute(deps));
      app.post('/api/sessions', limit, signInRoute(deps, cookie));
      app.post('/api/sign-out', signOutRoute(deps, cookie));
      for (const [method, path] of PASSED_ON) app[method](`/api${path}`, passOnRoute(deps, cookie));
      if (deps.environment === 'TEST') app.get('/api/test-cards', listTestCardsRoute());
      const alone = oneExport(cookie);
      app.get('/api/registers/:currency/:file', alone, exportRegisterRoute(deps, cookie));
      for (const format of FILE_FORMATS) {
        app.get(`/api/card.${format}`, alone, exportCardPaymentsRoute(deps, cookie, format));
        app.get(`/api/qr.${format}`, alone, exportQrPaymentsRoute(deps, cookie, format));
      }
      addNotFoundPage(app, bundle, PORTAL_PAGES);
    },
  });
}

const Asked = z.strictObject({ partnerID: z.string() });

/** POST /api/challenges `{ partnerID }`: the text to sign. Its origin is ours and never the request's. */
function challengeRoute({ gateway, publicUrl }: PortalDeps): RequestHandler {
  const { origin } = new URL(publicUrl);
  return async (req, res) => {
    const { partnerID } = validate(Asked, jsonBody(req));
    send(res, await gateway({ method: 'POST', path: '/challenges', body: json({ origin, partnerID }) }));
  };
}

/** POST /api/sessions `{ challengeId, signature }`: begins a session, with a new cookie. */
function signInRoute({ gateway }: PortalDeps, cookie: SessionCookie): RequestHandler {
  return async (req, res) => {
    // Parsed, so that a form of another site cannot send it as text.
    const body = json(jsonBody(req));
    const answer = await gateway({ method: 'POST', path: '/sessions', token: cookie.read(req), body });
    if (answer.status !== 201) {
      send(res, answer);
      return;
    }
    cookie.set(res, PortalSession.parse(JSON.parse(answer.body.toString())).token);
    res.status(201).json({});
  };
}

/** POST /api/sign-out */
function signOutRoute({ gateway }: PortalDeps, cookie: SessionCookie): RequestHandler {
  return async (req, res) => {
    const token = cookie.read(req);
    if (token !== undefined) await gateway({ method: 'POST', path: '/sign-out', token });
    cookie.clear(res);
    res.json({});
  };
}

/** The gateway's own answer to the same request for the cookie's session, its amounts as text. */
function passOnRoute({ gateway }: PortalDeps, cookie: SessionCookie): RequestHandler {
  return async (req, res) => {
    const body = rawBody(req);
    if (body.length > 0) jsonBody(req);
    const { shown, url } = shownPartner(req);
    const answer = await gateway({
      method: req.method,
      path: url.slice('/api'.length),
      shown,
      token: cookie.read(req),
      idempotencyKey: onlyKeyOf(req),
      ...(body.length === 0 ? {} : { body }),
    });
    // The session has ended: the cookie is of no use any more.
    if (answer.status === 401) cookie.clear(res);
    send(res, answer);
  };
}

function onlyKeyOf(req: Request): string | undefined {
  const keys = req.headersDistinct['idempotency-key'] ?? [];
  return keys.length === 1 ? keys[0] : undefined;
}

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

function send(res: Response, { status, headers, body }: GatewayAnswer): void {
  const isJson = mediaTypeOf(headers['content-type']) === 'application/json';
  res
    .status(status)
    .set(headers)
    .send(isJson ? withAmountsAsText(body.toString()) : body);
}
