import type { RequestHandler } from 'express';
import { validateQuery } from '@pay/shared/http/validate.ts';
import { listAuditedActions, type AuditedAction, type AuditFilter } from '../db/audit.ts';
import type { Deps } from '../deps.ts';
import { sendFile } from '../files/send-file.ts';
import { exportOnRecord } from '../use-cases/export-on-record.ts';
import { AuditQuery } from './list-audit.ts';
import { signedInOf } from './operator-session.ts';

/** GET /api/audited-actions: the audit log with one item for each action; filters and pages as GET /api/audit. */
export function listAuditedActionsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { before, limit, ...filter } = validateQuery(AuditQuery, req.url);
    const rows = await listAuditedActions(deps.db, filter, before, limit + 1);
    const items = rows.slice(0, limit);
    const next = rows.length > limit ? (items.at(-1)?.position.toString() ?? null) : null;
    res.set('Cache-Control', 'no-store').json({ items: items.map(renderAction), nextPageToken: next });
  };
}

/** `status` is null, and `after` too, as long as the result is not known. */
function renderAction(row: AuditedAction) {
  const { position, at, requestId, operator, role, action, subjectId, kind, status } = row;
  const isAnswered = kind === 'ANSWERED';
  return {
    position: position.toString(),
    at: at.toISOString(),
    requestId,
    operator,
    role,
    action,
    subjectId,
    status,
    // A change of an account is one row with both states.
    before: row.asked === null ? row.before : row.asked.before,
    requested: isAnswered ? (row.asked?.after ?? null) : row.after,
    after: isAnswered ? row.after : null,
  };
}

const COLUMNS = ['at', 'operator', 'role', 'action', 'subjectId', 'status', 'before', 'requested', 'after', 'requestId'].map((name) => ({
  name,
}));
const PAGE_ROWS = 500;

/** GET /api/audited-actions.csv: all actions that the list shows with the same filters. The export is an action too. */
export function exportAuditedActionsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const { before: _before, limit: _limit, ...filter } = validateQuery(AuditQuery, req.url);
    const shown = Object.fromEntries(
      Object.entries(req.query).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    );
    const audited = { signedIn: signedInOf(res), action: 'audit.export', subjectId: 'audit', filter: shown } as const;
    const file = { format: 'csv', name: 'audit', columns: COLUMNS } as const;
    await sendFile(req, res, file, exportOnRecord(deps.db, audited, linesOf(deps, filter)));
  };
}

async function* linesOf({ db }: Deps, filter: AuditFilter): AsyncGenerator<(string | null)[][]> {
  for (let before: bigint | undefined; ;) {
    const rows = await listAuditedActions(db, filter, before, PAGE_ROWS);
    yield rows.map((row) => {
      const { at, operator, role, action, subjectId, status, requestId, ...states } = renderAction(row);
      const [was, requested, is] = [states.before, states.requested, states.after].map(jsonOf);
      return [at, operator, role, action, subjectId, status?.toString() ?? null, was ?? null, requested ?? null, is ?? null, requestId];
    });
    before = rows.at(-1)?.position;
    if (rows.length < PAGE_ROWS) return;
  }
}

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));
