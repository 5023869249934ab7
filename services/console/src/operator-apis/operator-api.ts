import { createHash } from 'node:crypto';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import type { Operator, OperatorIdentitySigner } from '@pay/shared/operators/operator-identity.ts';
import { IDENTITY_HEADER } from '@pay/shared/operators/operator-of.ts';
import { currentTraceparent } from '@pay/shared/telemetry/tracing.ts';
import { noAnswer } from '../no-answer.ts';

/** The services whose operator APIs the console calls. */
export const OPERATED_SERVICES = ['gateway', 'payments', 'bindings', 'withdrawals', 'notifier'] as const;
export type OperatedService = (typeof OPERATED_SERVICES)[number];

/** A service's answer exactly as it was sent, so that no amount becomes a number on the way. */
export type OperatorAnswer = { readonly status: number; readonly contentType: string; readonly text: string };

export type OperatorCall = {
  readonly method: string;
  /** Below `/operator`, with its query. */
  readonly path: string;
  /** The acting operator, recorded in the service's own audit log. */
  readonly operator: Operator;
  readonly body?: Buffer | undefined;
  /** The reader's, for a file. */
  readonly language?: 'en' | 'ru' | undefined;
};

/** Calls the operator API of one service. */
export type OperatorApi = (call: OperatorCall) => Promise<OperatorAnswer>;

/** Longer than a service's own deadlines: the service decides, not this timeout. */
const TIMEOUT_MS = 10_000;

/**
 * The operator API of a service. Each call carries an identity for this request to this service: who acts, as signed in
 * to the console.
 * @throws ApiError 503: SERVICE_UNAVAILABLE if it rejects our key, or did not get the call; OUTCOME_UNKNOWN for an action that
 * got no answer: nobody knows then whether it was carried out
 */
export function operatorApi(service: OperatedService, url: string, sign: OperatorIdentitySigner): OperatorApi {
  return async ({ method, path, operator, body, language }) => {
    const [requestId, traceparent] = [currentRequestId(), currentTraceparent()];
    const silent = `${service} does not answer`;
    const target = new URL(`${url}/operator${path}`);
    const request = {
      method,
      target: `${target.pathname}${target.search}`,
      bodySha256: sha256(body ?? Buffer.alloc(0)),
    };
    const response = await fetch(target, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        [IDENTITY_HEADER]: sign(`${service}-operator`, operator, request),
        ...(requestId === undefined ? {} : { 'X-Request-Id': requestId }),
        ...(language === undefined ? {} : { 'Accept-Language': language }),
        ...(traceparent === undefined ? {} : { traceparent }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    }).catch((error: unknown) => {
      throw noAnswer(method, error, silent);
    });
    const bytes = await response.arrayBuffer().catch((error: unknown) => {
      throw noAnswer(method, error, silent);
    });
    // With the byte order mark of a file, which text() would leave out.
    const text = Buffer.from(bytes).toString('utf8');
    // Its 401 is about our key: passed on, it would sign the operator out.
    if (response.status === 401) throw new ApiError('SERVICE_UNAVAILABLE', { text: silent });
    const contentType = response.headers.get('content-type') ?? 'application/json';
    return { status: response.status, contentType, text };
  };
}

const sha256 = (body: Buffer): string => createHash('sha256').update(body).digest('hex');
