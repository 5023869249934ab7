import type { RequestHandler } from 'express';
import { SubjectAuditLogQuery, type PaymentAuditLog } from '@pay/contract/operator/audit-log.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import type { Deps } from '../../deps.ts';
import { readActions } from '../../use-cases/operator/read-payment-timeline.ts';

/** GET /operator/actions: what operators did to a payment, store, payment point or acquiring route, the newest first. */
export function listActionsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { subjectId, limit } = validateQuery(SubjectAuditLogQuery, req.url);
    const actions = await readActions(deps.db, subjectId, limit);
    const auditLog: PaymentAuditLog = {
      items: actions.map(({ position, at, ...action }) => ({
        position: position.toString(),
        at: at.toISOString(),
        ...action,
      })),
    };
    res.json(auditLog);
  };
}
