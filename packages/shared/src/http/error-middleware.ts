import type { ErrorRequestHandler, Request, Response } from 'express';
import { CircuitOpenError } from '../breaker/breaker.ts';
import { isUnavailable, movedElsewhere } from '../postgres/errors.ts';
import { ApiError } from '../errors/api-error.ts';
import type { Log } from '../logging/logger.ts';

/**
 * Converts any thrown error into the refusal that the caller gets. A command that lost its database may have lost it at
 * `commit`, or after an earlier transaction: then it is unknown whether it changed something, and the refusal says so.
 */
export function toApiError(error: unknown, request: 'read' | 'command' = 'read'): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof CircuitOpenError || isUnavailable(error)) {
    return new ApiError(request === 'command' ? 'OUTCOME_UNKNOWN' : 'SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 });
  }
  const moved = movedElsewhere(error);
  if (moved !== undefined) return new ApiError('FORBIDDEN', { text: moved });
  const status = expressStatus(error);
  if (status === 413) return new ApiError('PAYLOAD_TOO_LARGE');
  if (status === 415) return new ApiError('UNSUPPORTED_MEDIA_TYPE');
  if (status >= 400 && status < 500) {
    return new ApiError('VALIDATION_FAILED', { details: [{ field: 'request', message: 'could not be read' }] });
  }
  return new ApiError('INTERNAL_ERROR');
}

/** Express and its body reader mark client errors with a 4xx status. */
function expressStatus(error: unknown): number {
  return error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : 500;
}

/** Writes a refusal as the JSON error body of spec/decisions#error-body. */
export function sendError(res: Response, error: ApiError): void {
  const requestId = String(res.getHeader('X-Request-Id') ?? '');
  if (error.retryAfterSeconds !== undefined) res.setHeader('Retry-After', String(error.retryAfterSeconds));
  if (error.allow !== undefined) res.setHeader('Allow', error.allow.join(', '));
  res.status(error.status).json(errorBody(error, requestId));
}

/** The error body of spec/decisions#error-body. */
export function errorBody(error: ApiError, requestId: string): Record<string, unknown> {
  return {
    error: error.message,
    code: error.code,
    requestId,
    ...(error.details === undefined ? {} : { details: error.details }),
    ...error.members,
  };
}

/** The one place where errors become responses. Unexpected ones are logged in full and answered without details. */
export function errorMiddleware(
  log: Log,
  render: ((error: ApiError, req: Request, res: Response) => void) | undefined,
): ErrorRequestHandler {
  return (thrown: unknown, req, res, _next) => {
    const error = toApiError(thrown, req.method === 'GET' || req.method === 'HEAD' ? 'read' : 'command');
    if (error.code === 'INTERNAL_ERROR') log.error('unexpected error', { err: thrown });
    else if (error.status === 503) log.warn('temporarily unavailable', { err: thrown });
    if (res.headersSent) {
      // Half a response has been sent: all that is left is to cut it off. (Express would print the error as well.)
      req.socket.destroy();
      return;
    }
    if (render === undefined) sendError(res, error);
    else render(error, req, res);
  };
}
