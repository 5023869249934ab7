import { setTimeout as wait } from 'node:timers/promises';
import type { Request, RequestHandler, Response } from 'express';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { jsonBody } from '@pay/shared/http/app.ts';
import type { HttpDeps } from '../deps.ts';
import type { Fault, FaultRoute } from '../domain/fault.ts';
import type { Answer } from '../domain/operation.ts';

/** An answer of the acquirer API: a JSON body, or silence. */
export type BankAnswer = { readonly body: object; readonly answer: Answer };
export type BankRoute = (req: Request) => Promise<BankAnswer>;

/** Carries out one call of the acquirer API, with its fault if one is set. */
export function acquirerCall({ faults }: HttpDeps, route: Exclude<FaultRoute, 'all'>, run: BankRoute): RequestHandler {
  return async (req, res) => {
    const fault = faults.take({ route, operationId: operationIdOf(req) });
    if (fault?.kind === 'delay') await wait(fault.delayMs);
    if (fault !== undefined && struckBefore(fault, res)) return;
    let answer = await run(req);
    if (fault?.kind === 'duplicate') answer = await run(req);
    if (fault?.kind === 'delay_after') await wait(fault.delayMs);
    if (fault?.kind === 'drop_after' || answer.answer === 'WITHHELD') {
      await wait(faults.silenceMs);
      res.destroy();
      return;
    }
    res.json(answer.body);
  };
}

/** Ends the call before anything was done, if the fault demands it. */
function struckBefore(fault: Fault, res: Response): boolean {
  const { kind, status } = fault;
  if (kind === 'drop' || (kind === 'outage' && status === null)) {
    res.destroy();
    return true;
  }
  if (kind === 'error' || kind === 'outage') {
    res.status(status ?? 500).json({ errorCode: 'FORCED_FAULT', errorMessage: 'a test asked the bank to fail' });
    return true;
  }
  return false;
}

/** The operation that a call is about; undefined if it cannot be read: the route itself will report what is wrong. */
function operationIdOf(req: Request): string | undefined {
  const { operationId } = req.params;
  if (typeof operationId === 'string') return operationId;
  if (req.method !== 'POST') return undefined;
  try {
    const body = jsonBody(req);
    const named = typeof body === 'object' && body !== null && 'operationId' in body ? body.operationId : undefined;
    return typeof named === 'string' ? named : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}
