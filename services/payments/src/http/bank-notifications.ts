import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Express, RequestHandler } from 'express';
import { z } from 'zod';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { JsonNumber } from '@pay/shared/http/json-body.ts';
import { createApp, jsonBody, rawBody } from '@pay/shared/http/app.ts';
import { validate } from '@pay/shared/http/validate.ts';
import { T_BANK_NOTIFICATIONS } from '../channels/accounts.ts';
import type { TBankAccount } from '../channels/t-bank/terminal.ts';
import { isSigned } from '../channels/t-bank/token.ts';
import type { Deps } from '../deps.ts';
import { takeHint } from '../use-cases/take-hint.ts';

/** Who may send notifications here; each is off where it is undefined. */
export type BankNotifiers = {
  /** The key of the sandbox bank's signatures. */
  readonly sandboxBankKey: Buffer | undefined;
  readonly tBank: TBankAccount | undefined;
};

/** The listener for banks: what they send is authenticated by its signature, and is a hint only (ADR 0050). */
export function createBankNotificationsApp(deps: Deps, { sandboxBankKey, tBank }: BankNotifiers): Express {
  return createApp({
    listener: 'notifications',
    log: deps.log,
    requestIdFrom: 'edge',
    routes: (app) => {
      if (sandboxBankKey !== undefined) app.post('/notifications/sandbox-bank', fromSandboxBank(deps, sandboxBankKey));
      if (tBank !== undefined) app.post(T_BANK_NOTIFICATIONS, fromTBank(deps, tBank));
    },
  });
}

const SandboxBank = z.object({ operationId: z.uuid() });

/** POST of the sandbox bank: `X-Bank-Signature` is the lowercase hex HMAC-SHA256 of the body. 404: send it again later. */
function fromSandboxBank(deps: Deps, key: Buffer): RequestHandler {
  return async (req, res) => {
    const given = req.headers['x-bank-signature'];
    const expected = createHmac('sha256', key).update(rawBody(req)).digest();
    const isGood = typeof given === 'string' && /^[0-9a-f]{64}$/.test(given);
    if (!isGood || !timingSafeEqual(Buffer.from(given, 'hex'), expected)) throw new ApiError('UNAUTHORIZED');
    const { operationId } = validate(SandboxBank, jsonBody(req));
    await take(deps, 'sandbox-bank', operationId);
    res.json({ status: 'ok' });
  };
}

/** The bank writes its ids as numbers, of more digits than a double holds. */
const PaymentId = z.union([z.string(), z.instanceof(JsonNumber).transform(({ token }) => token)]);
const TBank = z.looseObject({ TerminalKey: z.string(), OrderId: z.string(), Token: z.string() });

/**
 * POST of T-Bank, whose `OrderId` is our operation id. It wants 200 and the body `OK`, within ten seconds; else it repeats
 * every hour for a day. Source: "Уведомления об операциях" of www.tbank.ru/kassa/dev/payments.
 */
function fromTBank(deps: Deps, { terminalKey, password }: TBankAccount): RequestHandler {
  return async (req, res) => {
    const fields = TBank.safeParse(jsonBody(req));
    if (!fields.success || fields.data.TerminalKey !== terminalKey || !isSigned(fields.data, password)) {
      throw new ApiError('UNAUTHORIZED');
    }
    const operationId = z.uuid().safeParse(fields.data.OrderId);
    if (!operationId.success) throw new ApiError('NOT_FOUND');
    // Which of its payments of the order it is about: a hint like the rest.
    await take(deps, 't-bank', operationId.data, PaymentId.safeParse(fields.data['PaymentId']).data);
    res.type('text/plain').send('OK');
  };
}

async function take(deps: Deps, bank: string, operationId: string, bankOperationId?: string): Promise<void> {
  const outcome = await takeHint(deps, operationId, bankOperationId);
  deps.log.info('a bank told of an operation', { bank, operationId, outcome });
  if (outcome === 'unknown') throw new ApiError('NOT_FOUND');
}
