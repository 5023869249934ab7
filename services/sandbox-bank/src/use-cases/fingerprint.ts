import { createHash } from 'node:crypto';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Operation, OperationKind } from '../domain/operation.ts';

/** SHA-256 of a call's parameters, so that the same operation id with different ones is noticed. */
export function fingerprint(kind: OperationKind, parameters: readonly (string | bigint | null)[]): string {
  const text = JSON.stringify([kind, ...parameters.map((value) => value?.toString() ?? null)]);
  return createHash('sha256').update(text).digest('hex');
}

/** @throws ApiError IDEMPOTENCY_KEY_REUSED if the known operation was requested with different parameters */
export function requireSameRequest(known: Operation, requestSha256: string): void {
  if (known.requestSha256 !== requestSha256) throw new ApiError('IDEMPOTENCY_KEY_REUSED');
}
