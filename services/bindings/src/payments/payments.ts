import type { z } from 'zod';
import { ChargeRefused, ChargeTaken } from '@pay/contract/answers.ts';
import type { Receipt } from '@pay/contract/api/receipt.ts';
import type { ChargeSavedCard, CheckCharge } from '@pay/contract/charges.ts';
import type { Wire } from '@pay/contract/wire.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { askJson, type JsonCall } from '@pay/shared/service-client/ask-json.ts';
import { PlacesTakenError } from '@pay/shared/service-client/no-answer.ts';
import { createServiceClient } from '@pay/shared/service-client/service-client.ts';
import type { PartnerId } from '@pay/shared/identities/identities.ts';
import type { ChargeStatus, WithdrawalReason } from '../domain/charge-status.ts';

/** A request to payments for one off-session charge. Repeating it is safe: its id identifies one payment. */
export type ChargeRequest = {
  readonly paymentId: string;
  readonly partnerId: PartnerId;
  readonly bindingId: string;
  readonly merchantOrderId: string;
  readonly amountKopecks: bigint;
  readonly description: string;
  readonly receipt: Receipt | null;
  /** When the charge was accepted. */
  readonly createdAt: Date;
};

/** The part of a charge that payments can check before it is accepted. */
export type CheckRequest = Pick<ChargeRequest, 'partnerId' | 'bindingId' | 'merchantOrderId' | 'amountKopecks' | 'receipt'>;

/**
 * The answer of payments. `refused`: the replica that answered stored nothing, and would not from this request. `not-now`:
 * neither, because the route is down or too many charges are on their way to it. `unknown`: anything may have happened; the
 * same call finds out later. `mayBeElsewhere`: another replica may have received the same call, and still carry it out.
 */
export type ChargeAnswer =
  | { readonly kind: 'taken'; readonly status: ChargeStatus }
  | { readonly kind: 'refused' | 'not-now'; readonly error: ApiError; readonly mayBeElsewhere: boolean }
  | { readonly kind: 'unknown' };

/** A client of the payments service and its replicas. */
export type Payments = {
  /** Never throws: any failure is `unknown`. Takes at most 14 s. */
  charge(request: ChargeRequest): Promise<ChargeAnswer>;
  /**
   * What is wrong with a charge regardless of its time; undefined if nothing is, or if there is no answer within 2 s.
   * Never throws.
   */
  check(request: CheckRequest): Promise<ApiError | undefined>;
  /**
   * Says that this charge must not be made any more: it ends there, unless payments already has it. As `charge`, within
   * 3 s.
   */
  withdraw(request: ChargeRequest, failureCode: WithdrawalReason): Promise<ChargeAnswer>;
  /**
   * Reports that the binding is revoked. False if there is no answer; payments asks us before it sends a charge anyway.
   */
  publishRevoked(partnerId: PartnerId, bindingId: string): Promise<boolean>;
  close(): Promise<void>;
};

type Options = { readonly urls: readonly string[]; readonly tokenKey: Buffer; readonly log: Log };

/**
 * Longer than payments needs: it asks us about the binding (3 s) and then the bank (10 s). The gateway waits 15 s for
 * us.
 */
export const CHARGE_MS = 14_000;
/** Covers calls that involve only the database of payments. */
export const COMMAND_MS = 3_000;
/** For checks: a caller who is refused anyway does not wait long for a better reason. */
const CHECK_MS = 2_000;
/** Charges end within seconds, and then there is a place for another. */
const BUSY_RETRY_AFTER_SECONDS = 1;

/** Refusals that do not pass with time. */
const REFUSALS = ['NOT_FOUND', 'DUPLICATE_ORDER', 'VALIDATION_FAILED'] as const;

export function createPayments({ urls, tokenKey, log }: Options): Payments {
  const client = createServiceClient({ issuer: 'bindings', name: 'payments', urls, tokenKey, log });
  const ask = async (
    call: Pick<JsonCall, 'lane' | 'operation' | 'path' | 'deadlineMs'>,
    request: ChargeRequest,
    also: object,
  ): Promise<ChargeAnswer> => {
    const { paymentId, partnerId, bindingId, merchantOrderId, amountKopecks, description, receipt, createdAt } = request;
    const body: Wire<typeof ChargeSavedCard> = {
      paymentId,
      bindingId,
      merchantOrderId,
      amountKopecks: amountKopecks.toString(),
      description,
      ...(receipt === null ? {} : { receipt }),
      createdAt: createdAt.toISOString(),
      ...also,
    };
    try {
      return await askJson(client, { ...call, method: 'POST', partnerId, body }, readAnswer);
    } catch (err) {
      const { operation } = call;
      if (err instanceof PlacesTakenError) {
        log.warn('no place is free for a charge to payments', { operation, paymentId });
        const error = new ApiError('SERVICE_UNAVAILABLE', { retryAfterSeconds: BUSY_RETRY_AFTER_SECONDS });
        return { kind: 'not-now', error, mayBeElsewhere: false };
      }
      log.warn('payments did not answer about a charge, will retry', { err, operation, paymentId });
      return { kind: 'unknown' };
    }
  };
  return {
    charge: (request) => ask({ lane: 'outside', operation: 'charge', path: '/internal/charges', deadlineMs: CHARGE_MS }, request, {}),
    async check({ partnerId, bindingId, merchantOrderId, amountKopecks, receipt }) {
      const path = '/internal/charges/checked';
      const body: Wire<typeof CheckCharge> = {
        bindingId,
        merchantOrderId,
        amountKopecks: amountKopecks.toString(),
        ...(receipt === null ? {} : { receipt }),
      };
      const call = { lane: 'read', operation: 'check', method: 'POST', path, partnerId, body, deadlineMs: CHECK_MS } as const;
      try {
        return await askJson(client, call, readRefusal);
      } catch (err) {
        log.warn('payments did not check a charge, refusing it for its binding', { err, bindingId });
        return undefined;
      }
    },
    withdraw: (request, failureCode) =>
      ask({ lane: 'command', operation: 'withdraw', path: '/internal/charges/withdrawn', deadlineMs: COMMAND_MS }, request, {
        failureCode,
      }),
    async publishRevoked(partnerId, bindingId) {
      const path = `/internal/saved-cards/${bindingId}/revoke`;
      const call = { lane: 'command', operation: 'revoke', method: 'POST', path, partnerId, deadlineMs: COMMAND_MS } as const;
      try {
        return await askJson(client, call, isDone);
      } catch (err) {
        log.warn('could not tell payments about a revocation, it asks before its next charge', { err, bindingId });
        return false;
      }
    },
    close: () => client.close(),
  };
}

function isDone(status: number): true {
  if (status !== 200) throw new Error(`payments answered ${String(status)}`);
  return true;
}

function readAnswer(status: number, answer: unknown, mayBeElsewhere: boolean): ChargeAnswer {
  if (status === 200) {
    const taken = ChargeTaken.parse(answer);
    // The charge was made, and given back since.
    return { kind: 'taken', status: taken.status === 'REFUNDED' ? 'COMPLETED' : taken.status };
  }
  const refusal = ChargeRefused.parse(answer);
  const { code } = refusal;
  const error = refusalOf(refusal);
  if (error !== undefined) return { kind: 'refused', error, mayBeElsewhere };
  if (code === 'ROUTE_UNAVAILABLE') return { kind: 'not-now', error: new ApiError(code), mayBeElsewhere };
  throw new Error(`payments answered ${String(status)} ${code}`);
}

function readRefusal(status: number, answer: unknown): ApiError | undefined {
  if (status === 200) return undefined;
  const refusal = ChargeRefused.parse(answer);
  const { code } = refusal;
  const error = refusalOf(refusal);
  if (error === undefined) throw new Error(`payments answered ${String(status)} ${code}`);
  return error;
}

function refusalOf({ code, details, paymentId }: z.infer<typeof ChargeRefused>): ApiError | undefined {
  const refusal = REFUSALS.find((known) => known === code);
  if (refusal === undefined) return undefined;
  return new ApiError(refusal, {
    ...(details === undefined ? {} : { details }),
    ...(paymentId === undefined ? {} : { members: { paymentId } }),
  });
}
