import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Express, RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { JsonNumber } from '@pay/shared/json/json-body.ts';
import { createApp, jsonBody, rawBody } from '@pay/shared/http/app.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { T_BANK_NOTIFICATIONS } from '../../acquirers/accounts.ts';
import { isSigned } from '../../acquirers/t-bank/token.ts';
import type { Deps } from '../../deps.ts';
import { onBankNotification } from '../../use-cases/bank/on-bank-notification.ts';

/** Who may send notifications here. During a rotation there are two keys, or passwords, and both are valid. */
export type BankNotifiers = {
  /** What the sandbox bank signs with; empty if it is off. */
  readonly sandboxBankKeys: readonly Buffer[];
  /** Undefined if it is off. */
  readonly tBank: { readonly terminalKey: string; readonly passwords: readonly string[] } | undefined;
};

/**
 * The listener for banks. A notification is authenticated by its signature, but what it says is not trusted: it only makes us
 * read the state back (decisions/unknown-outcomes).
 */
export function createBankNotificationsApp(deps: Deps, { sandboxBankKeys, tBank }: BankNotifiers): Express {
  return createApp({
    listener: 'notifications',
    log: deps.log,
    requestIdFrom: 'edge',
    routes: (app) => {
      if (sandboxBankKeys.length > 0) app.post('/notifications/sandbox-bank', fromSandboxBank(deps, sandboxBankKeys));
      if (tBank !== undefined) app.post(T_BANK_NOTIFICATIONS, fromTBank(deps, tBank));
    },
  });
}

const SandboxBank = z.object({ operationId: z.uuid() });

/**
 * The sandbox bank's notification. `X-Bank-Signature` is the HMAC-SHA256 of the body in lowercase hex. After a 404 or 503 it sends
 * the notification again.
 */
function fromSandboxBank(deps: Deps, keys: readonly Buffer[]): RequestHandler {
  return async (req, res) => {
    const given = req.headers['x-bank-signature'];
    if (typeof given !== 'string' || !/^[0-9a-f]{64}$/.test(given)) throw new ApiError('UNAUTHORIZED');
    const expected = keys.map((key) => createHmac('sha256', key).update(rawBody(req)).digest());
    if (!expected.some((one) => timingSafeEqual(Buffer.from(given, 'hex'), one))) throw new ApiError('UNAUTHORIZED');
    const { operationId } = validate(SandboxBank, jsonBody(req));
    await take(deps, 'sandbox-bank', operationId);
    res.json({ status: 'ok' });
  };
}

/** The bank writes its ids as numbers with more digits than a double can hold. */
const PaymentId = z.union([z.string(), z.instanceof(JsonNumber).transform(({ token }) => token)]);
const TBank = z.looseObject({ TerminalKey: z.string(), OrderId: z.string(), Token: z.string() });

/**
 * T-Bank's notification. Its `OrderId` is our operation id. The bank expects 200 with the body `OK` within ten seconds;
 * otherwise it repeats the notification every hour for a day. Source: "Уведомления об операциях" of www.tbank.ru/kassa/dev/payments.
 */
function fromTBank(deps: Deps, { terminalKey, passwords }: NonNullable<BankNotifiers['tBank']>): RequestHandler {
  return async (req, res) => {
    const fields = TBank.safeParse(jsonBody(req));
    if (!fields.success || fields.data.TerminalKey !== terminalKey) throw new ApiError('UNAUTHORIZED');
    if (!passwords.some((password) => isSigned(fields.data, password))) throw new ApiError('UNAUTHORIZED');
    const operationId = z.uuid().safeParse(fields.data.OrderId);
    if (!operationId.success) throw new ApiError('NOT_FOUND');
    // Which of the bank's payments for the order it means. Not trusted either.
    await take(deps, 't-bank', operationId.data, PaymentId.safeParse(fields.data['PaymentId']).data);
    res.type('text/plain').send('OK');
  };
}

async function take(deps: Deps, bank: string, operationId: string, bankOperationId?: string): Promise<void> {
  const outcome = await onBankNotification(deps, operationId, bankOperationId);
  deps.log.info('a bank sent a notification about an operation', { bank, operationId, outcome });
  if (outcome === 'unknown') throw new ApiError('NOT_FOUND');
  if (outcome === 'unanswered') throw new ApiError('SERVICE_UNAVAILABLE');
}
