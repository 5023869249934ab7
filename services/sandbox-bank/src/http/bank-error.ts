import type { Request, Response } from 'express';
import type { ApiError } from '@pay/shared/errors/api-error.ts';
import type { ErrorCode } from '@pay/shared/errors/catalogue.ts';
import { shownDetail } from '@pay/shared/http/error-middleware.ts';
import { errorPage } from '../pages/error.ts';
import type { Words } from '../pages/words.ts';
import { sendPage, wordsOf } from './page.ts';

/** The bank's own error codes: its API is not ours, and neither are its codes. */
const BANK_CODES: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: 'ACCESS_DENIED',
  VALIDATION_FAILED: 'BAD_REQUEST',
  PAYLOAD_TOO_LARGE: 'BAD_REQUEST',
  UNSUPPORTED_MEDIA_TYPE: 'BAD_REQUEST',
  NOT_FOUND: 'OPERATION_NOT_FOUND',
  IDEMPOTENCY_KEY_REUSED: 'OPERATION_MISMATCH',
  STALE_REVISION: 'OPERATION_STATE',
  REFUND_NOT_ALLOWED: 'NOT_REFUNDABLE',
  REFUND_AMOUNT_EXCEEDED: 'AMOUNT_EXCEEDED',
  SERVICE_UNAVAILABLE: 'TRY_LATER',
};
const BANK_TEXTS: Partial<Record<ErrorCode, string>> = {
  UNAUTHORIZED: 'the key is missing or wrong',
  NOT_FOUND: 'the bank does not know this operation',
  IDEMPOTENCY_KEY_REUSED: 'this operationId was used with other parameters',
};

const PAGES: Partial<Record<ErrorCode, keyof Words['error']>> = { NOT_FOUND: 'notFound', UNAUTHORIZED: 'closed' };

/** JSON for programs, a page for people. */
export function renderBankError(error: ApiError, req: Request, res: Response): void {
  if (error.retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(error.retryAfterSeconds));
  res.status(error.status);
  if (!/^\/(?:v1|control)(?:\/|$)/.test(req.path)) {
    sendPage(res, errorPage(wordsOf(req), PAGES[error.code] ?? 'failed'));
    return;
  }
  res.json({
    errorCode: BANK_CODES[error.code] ?? 'INTERNAL',
    errorMessage: BANK_TEXTS[error.code] ?? error.message,
    ...(error.details === undefined ? {} : { fields: error.details.map(shownDetail) }),
  });
}
