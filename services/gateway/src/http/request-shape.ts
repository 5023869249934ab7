import type { IncomingMessage } from 'node:http';
import { ApiError, invalidField } from '@pay/shared/errors/api-error.ts';
import { refusedTarget, repeatedQueryName } from '@pay/signing/canonical-request.ts';
import { BODY_BYTES_MAX, isEncoded } from '@pay/shared/http/app.ts';

/** What is read from a request before its sender is known. */
export type RequestShape = {
  readonly method: string;
  readonly target: string;
  /** Undefined unless there is exactly one. */
  readonly authorization: string | undefined;
  /** Empty if there is none. */
  readonly idempotencyKey: string;
  readonly contentType: string | undefined;
};

/**
 * The signed text has one byte per character, so a key with other characters would be ambiguous. See
 * spec/service-contract#limits.
 */
const VISIBLE_ASCII = /^[\x21-\x7e]*$/;

/**
 * Reads the request line and the headers as they were on the wire: Node merges or drops repeated headers, so they are
 * counted here.
 * @throws ApiError 400 for an ambiguous request, 413 for a body whose declared length is too large, 415 for an encoded
 * body
 */
export function readShape(req: IncomingMessage): RequestShape {
  const target = checkTarget(req.url ?? '');
  const { host, 'idempotency-key': keys, authorization } = req.headersDistinct;
  if (host?.length !== 1) throw invalidField('Host', 'must occur exactly once');
  checkBodyHeaders(req);
  return {
    method: req.method ?? '',
    target,
    authorization: authorization?.length === 1 ? authorization[0] : undefined,
    idempotencyKey: readIdempotencyKey(keys ?? []),
    contentType: req.headers['content-type'],
  };
}

/** The target itself. @throws ApiError 400 if it is ambiguous */
export function checkTarget(target: string): string {
  const fault = refusedTarget(target);
  if (fault !== undefined) throw invalidField('target', fault);
  const repeated = repeatedQueryName(target);
  if (repeated !== undefined) throw invalidField(repeated, 'occurs twice in the query');
  return target;
}

/** @throws ApiError 400 for more than one key, and for one that could not be signed */
export function readIdempotencyKey(values: readonly string[]): string {
  const [key = ''] = values;
  if (values.length <= 1 && VISIBLE_ASCII.test(key)) return key;
  throw invalidField('Idempotency-Key', 'must occur at most once, in visible ASCII characters');
}

function checkBodyHeaders(req: IncomingMessage): void {
  const { 'transfer-encoding': transfer, 'content-length': length } = req.headers;
  if (transfer !== undefined && transfer.toLowerCase() !== 'chunked') {
    throw invalidField('Transfer-Encoding', 'must be chunked');
  }
  if (req.method === 'GET' && (transfer !== undefined || (length !== undefined && length !== '0'))) {
    throw invalidField('body', 'a GET request has no body');
  }
  if (Number(length ?? 0) > BODY_BYTES_MAX) throw new ApiError('PAYLOAD_TOO_LARGE');
  if (isEncoded(req)) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
}
