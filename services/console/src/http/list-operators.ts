import type { RequestHandler } from 'express';
import { listOperators, type Operator } from '../db/operators.ts';
import type { Deps } from '../deps.ts';
import { sendFile } from '../files/send-file.ts';
import { exportOnRecord } from '../use-cases/export-on-record.ts';
import { signedInOf } from './operator-session.ts';

/** GET /api/operators: all operators, including disabled ones. */
export function listOperatorsRoute(deps: Deps): RequestHandler {
  return async (_req, res) => {
    const items = (await listOperators(deps.db)).map(({ hasPassword, hasPasskey, lockedUntil, ...operator }) => ({
      ...renderOperator(operator),
      hasPassword,
      hasPasskey,
      lockedUntil: lockedUntil?.toISOString() ?? null,
    }));
    res.set('Cache-Control', 'no-store').json({ items });
  };
}

const COLUMNS = ['login', 'name', 'role', 'secondFactor', 'passkey', 'disabledAt', 'createdAt'].map((name) => ({
  name,
}));

/** GET /api/operators.csv: all operators, in one page. */
export function exportOperatorsRoute(deps: Deps): RequestHandler {
  return async (req, res) => {
    const audited = {
      signedIn: signedInOf(res),
      action: 'operators.export',
      subjectId: 'operators',
      filter: {},
    } as const;
    const file = { format: 'csv', name: 'operators', columns: COLUMNS } as const;
    await sendFile(req, res, file, exportOnRecord(deps.db, audited, linesOf(deps)));
  };
}

async function* linesOf({ db }: Deps): AsyncGenerator<(string | null)[][]> {
  yield (await listOperators(db)).map(({ hasPasskey, ...operator }) => {
    const { login, name, role, hasSecondFactor, disabledAt, createdAt } = renderOperator(operator);
    return [login, name, role, hasSecondFactor ? 'yes' : 'no', hasPasskey ? 'yes' : 'no', disabledAt, createdAt];
  });
}

/** An operator as administrators see them. */
export function renderOperator({ email, name, role, disabledAt, twoFactorEnabled, createdAt }: Operator) {
  return {
    login: email,
    name,
    role,
    disabledAt: disabledAt?.toISOString() ?? null,
    hasSecondFactor: twoFactorEnabled,
    createdAt: createdAt.toISOString(),
  };
}
