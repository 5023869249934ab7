import type { RequestHandler } from 'express';
import { z } from 'zod';
import { momentInput, pageLimit } from '@pay/shared/http/fields.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import { listAudit, type AuditRow } from '../db/audit.ts';
import type { Deps } from '../deps.ts';

/** The filters of the audit log, and where its page begins. */
export const AuditQuery = z.strictObject({
  operator: z.string().min(1).max(254).optional(),
  action: z.string().min(1).max(64).optional(),
  subjectId: z.string().min(1).max(256).optional(),
  from: momentInput('At or after this time').optional(),
  to: momentInput('Before this time').optional(),
  before: z
    .string()
    .regex(/^\d{1,18}$/, 'must be the position of a row')
    .transform(BigInt)
    .optional(),
  limit: pageLimit(50),
});

/** GET /api/audit: the audit log, newest first; `before` is the position of the previous page's last row. */
export function listAuditRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { before, limit, ...filter } = validateQuery(AuditQuery, req.url);
    const rows = await listAudit(deps.db, filter, before, limit + 1);
    const items = rows.slice(0, limit);
    const next = rows.length > limit ? (items.at(-1)?.position.toString() ?? null) : null;
    res.set('Cache-Control', 'no-store').json({ items: items.map(renderAudit), next });
  };
}

function renderAudit({ position, at, ...row }: AuditRow): Readonly<Record<string, unknown>> {
  return { position: position.toString(), at: at.toISOString(), ...row };
}
