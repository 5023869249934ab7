import type { ErrorRequestHandler, Request, Response } from 'express';
import { CircuitOpenError } from '../breaker/breaker.ts';
import { isUnavailable, isUnkeepable, movedElsewhere } from '../postgres/errors.ts';
import { forbiddenContent } from '../content/forbidden-content.ts';
import { ApiError, invalidField, type FieldError } from '../errors/api-error.ts';
import type { Log } from '../logging/logger.ts';
import { hasCommitted } from '../logging/request-context.ts';
import { routeOf } from './route-of.ts';

/**
 * Converts any thrown error into the refusal that the caller gets. A command that lost its database may have lost it at
 * `commit`, or after an earlier transaction: then it is unknown whether it changed something, and the refusal says so. A value
 * that PostgreSQL cannot keep is the caller's, and a 400, unless something was committed before: then the value may be a
 * bank's, and a 400 would say that nothing changed.
 */
export function toApiError(error: unknown, request: 'read' | 'command' = 'read'): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof CircuitOpenError || isUnavailable(error)) {
    return new ApiError(request === 'command' ? 'OUTCOME_UNKNOWN' : 'SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 });
  }
  if (isUnkeepable(error) && !hasCommitted()) {
    return invalidField('request', 'has a value that cannot be kept');
  }
  const moved = movedElsewhere(error);
  if (moved !== undefined) return new ApiError('FORBIDDEN', { text: moved });
  return unreadable(error) ?? new ApiError('INTERNAL_ERROR');
}

/** The refusal of a request that could not be read. */
function unreadable(error: unknown): ApiError | undefined {
  if (error instanceof URIError) return invalidField('path', 'must be UTF-8 once it is percent-decoded');
  const status = expressStatus(error);
  if (status === 413) return new ApiError('PAYLOAD_TOO_LARGE');
  if (status === 415) return new ApiError('UNSUPPORTED_MEDIA_TYPE');
  return status >= 400 && status < 500 ? invalidField('request', 'could not be read') : undefined;
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
    ...(error.details === undefined ? {} : { details: error.details.map(shownDetail) }),
    ...error.members,
  };
}

/**
 * A detail as it is sent, and may be logged: the path of a field ends before a name that is itself something that must not be
 * repeated, such as a card number.
 */
export function shownDetail({ field, message }: FieldError): FieldError {
  if (forbiddenContent(field) === undefined) return { field, message };
  const names = field.split('.');
  const end = names.findLastIndex((_name, start) => forbiddenContent(names.slice(start).join('.')) !== undefined);
  return { field: end > 0 ? names.slice(0, end).join('.') : 'body', message };
}

/** Logs what was thrown, with `call`, if it was not expected. `error` is what the caller gets. */
export function logThrown(log: Log, thrown: unknown, error: ApiError, call: Readonly<Record<string, string>>): void {
  if (error.code === 'INTERNAL_ERROR') log.error('unexpected error', { ...call, err: thrown });
  else if (error.status === 503) log.warn('temporarily unavailable', { ...call, err: thrown });
  // A field of this route lacks a rule.
  else if (isUnkeepable(thrown)) log.warn('a codec let a value through that the database cannot keep', { ...call, err: thrown });
}

/** The one place where errors become responses. Unexpected ones are logged in full and answered without details. */
export function errorMiddleware(
  log: Log,
  render: ((error: ApiError, req: Request, res: Response) => void) | undefined,
): ErrorRequestHandler {
  return (thrown: unknown, req, res, _next) => {
    const error = toApiError(thrown, req.method === 'GET' || req.method === 'HEAD' ? 'read' : 'command');
    logThrown(log, thrown, error, { method: req.method, route: routeOf(req) });
    if (res.headersSent) {
      // Half a response has been sent: all that is left is to cut it off. (Express would print the error as well.)
      req.socket.destroy();
      return;
    }
    if (render === undefined) sendError(res, error);
    else render(error, req, res);
  };
}
