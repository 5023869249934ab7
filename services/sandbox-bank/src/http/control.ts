import type { Express } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import { validate } from '@pay/shared/http/validate.ts';
import type { HttpDeps } from '../deps.ts';
import { FAULT_KINDS, FAULT_ROUTES } from '../domain/fault.ts';
import { NOTIFICATION_MODES, type Notifier } from '../notifier.ts';
import { decideOperation } from '../use-cases/decide-operation.ts';
import { forgetEverything } from '../use-cases/forget-everything.ts';
import { inspectOperation, readTotals } from '../use-cases/inspect-operations.ts';
import { advanceClock, readClock, resetClock, type TestClock } from '../use-cases/move-clock.ts';
import { countWaiting, notifyDue } from '../use-cases/notify-merchant.ts';
import { digits, operationId, operationIdOfPath } from './fields.ts';
import { renderOperation } from './render-operation.ts';

/** A whole number within bounds, written as a JSON number. */
const whole = (min: number, max: number) =>
  digits
    .pipe(z.string().regex(/^\d{1,6}$/))
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be a whole number from ${String(min)} to ${String(max)}`);

/** A minute is longer than any caller waits. */
const DELAY_MS_MAX = 60_000;

const FaultBody = z
  .strictObject({
    route: z.enum(FAULT_ROUTES),
    kind: z.enum(FAULT_KINDS),
    operationId: operationId.optional(),
    delayMs: whole(0, DELAY_MS_MAX).optional(),
    status: whole(400, 599).optional(),
    times: whole(1, 100_000).optional(),
  })
  .transform(({ route, kind, operationId: only, delayMs, status, times }) => ({
    route,
    kind,
    operationId: only ?? null,
    delayMs: delayMs ?? 1_000,
    status: status ?? null,
    times: times ?? (kind === 'outage' ? null : 1),
  }));

const SilenceBody = z.strictObject({ delayMs: whole(0, DELAY_MS_MAX) });

const DecisionBody = z.strictObject({
  status: z.enum(['APPROVED', 'DECLINED']),
  reason: z
    .enum([
      'INSUFFICIENT_FUNDS',
      'CARD_EXPIRED',
      'CARD_BLOCKED',
      'AUTHENTICATION_FAILED',
      'DECLINED_BY_ISSUER',
      'ISSUER_UNAVAILABLE',
      'PROCESSING_ERROR',
    ])
    .optional(),
});

const ClockBody = z.union([z.strictObject({ advance: z.string().max(40) }), z.strictObject({ reset: z.literal(true) })]);

const ModeBody = z.strictObject({ mode: z.enum(NOTIFICATION_MODES) });
const ReleaseBody = z.strictObject({ order: z.enum(['oldest', 'newest']) });

/** @throws ApiError NOT_FOUND if no merchant is to be notified */
function notifierOf({ notifier }: HttpDeps): Notifier {
  if (notifier === undefined) throw new ApiError('NOT_FOUND');
  return notifier;
}

async function renderNotifications(deps: HttpDeps): Promise<object> {
  const { mode, sent } = notifierOf(deps);
  return { mode, sent, waiting: await countWaiting(deps) };
}

const renderClock = ({ offsetMilliseconds, now }: TestClock) => ({ offsetMilliseconds, now: now.toISOString() });

/**
 * The control API: what tests and the command line force. It needs the control key (`createControlApp`). Its POST calls
 * accept only JSON, which a foreign web page cannot send.
 */
export function controlRoutes(app: Express, deps: HttpDeps): void {
  const { faults } = deps;
  const renderFaults = () => ({ faults: faults.list(), silenceMs: faults.silenceMs });

  app.get('/control/faults', (_req, res) => {
    res.json(renderFaults());
  });
  app.post('/control/faults', (req, res) => {
    faults.set(validate(FaultBody, jsonBody(req)));
    res.json(renderFaults());
  });
  app.delete('/control/faults', (_req, res) => {
    faults.clear();
    res.json(renderFaults());
  });
  app.post('/control/silence', (req, res) => {
    faults.silenceMs = validate(SilenceBody, jsonBody(req)).delayMs;
    res.json(renderFaults());
  });
  app.get('/control/operations/:operationId', async (req, res) => {
    const { operation, history, counters } = await inspectOperation(deps, operationIdOfPath(req));
    res.json({ operation: renderOperation(deps, operation), counters, history });
  });
  app.post('/control/operations/:operationId/decide', async (req, res) => {
    const { status, reason } = validate(DecisionBody, jsonBody(req));
    const decision = { to: status, reason: status === 'APPROVED' ? null : (reason ?? 'DECLINED_BY_ISSUER') };
    res.json(renderOperation(deps, await decideOperation(deps, operationIdOfPath(req), decision)));
  });
  app.get('/control/notifications', async (_req, res) => {
    res.json(await renderNotifications(deps));
  });
  app.post('/control/notifications', async (req, res) => {
    const { mode } = validate(ModeBody, jsonBody(req));
    notifierOf(deps).mode = mode;
    res.json(await renderNotifications(deps));
  });
  app.post('/control/notifications/release', async (req, res) => {
    const { order } = validate(ReleaseBody, jsonBody(req));
    while ((await notifyDue(deps, notifierOf(deps), order)) > 0);
    res.json(await renderNotifications(deps));
  });
  app.get('/control/totals', async (_req, res) => {
    const totals = await readTotals(deps);
    res.json({
      ...totals,
      approvedKopecks: totals.approvedKopecks.toString(),
      refundedKopecks: totals.refundedKopecks.toString(),
    });
  });
  app.get('/control/clock', async (_req, res) => {
    res.json(renderClock(await readClock(deps)));
  });
  app.post('/control/clock', async (req, res) => {
    const body = validate(ClockBody, jsonBody(req));
    res.json(renderClock('advance' in body ? await advanceClock(deps, body.advance) : await resetClock(deps)));
  });
  app.post('/control/reset', async (req, res) => {
    validate(z.strictObject({}), jsonBody(req));
    faults.clear();
    faults.silenceMs = 0;
    await forgetEverything(deps);
    res.json({ ...renderFaults(), ...renderClock(await readClock(deps)) });
  });
}
