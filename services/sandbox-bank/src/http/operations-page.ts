import type { Express, Request } from 'express';
import { z } from 'zod';
import { momentInput } from '@pay/shared/http/fields.ts';
import { validateQuery } from '@pay/shared/http/validate.ts';
import type { HttpDeps } from '../deps.ts';
import { OPERATION_STATUSES } from '../domain/operation-status.ts';
import { operationPage, operationsPage } from '../pages/operations.ts';
import { decideOperation } from '../use-cases/decide-operation.ts';
import { browseOperations, inspectOperation } from '../use-cases/inspect-operations.ts';
import { operationIdOfPath } from './fields.ts';
import { pressedButton, sendPage, wordsOf } from './page.ts';

/** As many as fit on a screen or two. */
const PAGE_SIZE = 50;

const Query = z.object({
  id: z.string().trim().max(64).default(''),
  // The empty option means any.
  status: z
    .enum([...OPERATION_STATUSES, ''])
    .optional()
    .transform((status) => (status === '' ? undefined : status)),
  after: z
    .string()
    .regex(/^[^_]+_[^_]+$/)
    .transform((text) => text.split('_'))
    .pipe(z.tuple([momentInput('When it was created'), z.uuid()]))
    .transform(([createdAt, operationId]) => ({ createdAt, operationId }))
    .optional(),
});

/** The operations page: a filtered list, an operation's details, and the buttons that decide it. */
export function operationsPageRoutes(app: Express, deps: HttpDeps): void {
  app.get('/', async (req, res) => {
    const { id, status, after } = validateQuery(Query, req.url);
    const filter = { id: id === '' ? undefined : id.toLowerCase(), status, after };
    const { operations, more } = await browseOperations(deps, filter, PAGE_SIZE);
    const last = operations.at(-1);
    sendPage(
      res,
      operationsPage(wordsOf(req), {
        operations,
        filter: { id, status },
        older: more && last !== undefined ? `${last.createdAt.toISOString()}_${last.operationId}` : undefined,
        isFirstPage: after === undefined,
      }),
    );
  });
  app.get('/operations/:operationId', async (req, res) => {
    sendPage(res, operationPage(wordsOf(req), await inspectOperation(deps, operationIdOfPath(req))));
  });
  app.post('/operations/:operationId/decide', async (req: Request, res) => {
    const operationId = operationIdOfPath(req);
    const approved = pressedButton(req, ['approve', 'decline']) === 'approve';
    const decision = approved ? ({ to: 'APPROVED', reason: null } as const) : ({ to: 'DECLINED', reason: 'DECLINED_BY_ISSUER' } as const);
    await decideOperation(deps, operationId, decision);
    res.redirect(303, `/operations/${operationId}?lang=${wordsOf(req).language}`);
  });
}
