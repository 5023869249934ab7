import type { RequestHandler } from 'express';
import { listSessions } from '../db/sessions.ts';
import type { Deps } from '../deps.ts';
import { signedInOf } from './operator-session.ts';

/** GET /api/sessions: who is signed in, from where, and since when; `isOwn` marks the session that asks. */
export function listSessionsRoute(deps: Deps): RequestHandler {
  return async (_req, res) => {
    const { sessionId } = signedInOf(res);
    const items = (await listSessions(deps.db)).map(({ id, login, name, ipAddress, userAgent, ...times }) => ({
      sessionId: id,
      login,
      name,
      address: ipAddress,
      userAgent,
      signedInAt: times.createdAt.toISOString(),
      lastUsedAt: times.updatedAt.toISOString(),
      endsAt: times.expiresAt.toISOString(),
      isOwn: id === sessionId,
    }));
    res.set('Cache-Control', 'no-store').json({ items });
  };
}
