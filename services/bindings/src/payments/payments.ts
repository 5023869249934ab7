import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { ApiError, type FieldError } from '@pay/shared/errors/api-error.ts';
import type { Log } from '@pay/shared/logging/logger.ts';
import { createPeer } from '@pay/shared/peer/peer.ts';
import {
  FINAL_CHARGE_STATUSES,
  OPEN_CHARGE_STATUSES,
  type ChargeStatus,
  type WithdrawalReason,
} from '../domain/charge-status.ts';

/** What payments is asked: one off-session charge. Repeating it is safe, it is one payment by its id. */
export type ChargeRequest = {
  readonly paymentId: string;
  readonly partnerId: string;
  readonly bindingId: string;
  readonly merchantOrderId: string;
  readonly amountKopecks: bigint;
  readonly description: string;
  /** When it was accepted. */
  readonly createdAt: Date;
};

/** What of a charge payments can judge before it is accepted. */
export type CheckRequest = Pick<ChargeRequest, 'partnerId' | 'bindingId' | 'merchantOrderId' | 'amountKopecks'>;

/**
 * What payments said. `refused`: it has no such payment and will make none of this. `route-down`: this call stored
 * nothing. `unknown`: anything may have happened, the same call tells later.
 */
export type ChargeAnswer =
  | { readonly kind: 'taken'; readonly status: ChargeStatus }
  | { readonly kind: 'refused'; readonly error: ApiError }
  | { readonly kind: 'route-down' }
  | { readonly kind: 'unknown' };

/** The payments service, in one or several replicas. */
export type Payments = {
  /** Never throws: whatever goes wrong is `unknown`. Takes at most `CALL_MS`. */
  charge(request: ChargeRequest): Promise<ChargeAnswer>;
  /**
   * What is wrong with a charge whenever it comes; undefined when nothing is, and when nobody answered within `CHECK_MS`.
   * Never throws.
   */
  check(request: CheckRequest): Promise<ApiError | undefined>;
  /** The same charge is not to be made any more: it ends there, unless payments has it already. As `charge`. */
  withdraw(request: ChargeRequest, failureCode: WithdrawalReason): Promise<ChargeAnswer>;
  /** The binding is revoked. False when nobody answered; payments asks us before it sends a charge, anyway. */
  tellRevoked(partnerId: string, bindingId: string): Promise<boolean>;
  close(): Promise<void>;
};

type Options = { readonly urls: readonly string[]; readonly tokenKey: Buffer; readonly log: Log };

/** All of a call. Payments asks the bank meanwhile; the gateway waits 15 s for us. */
export const CALL_MS = 10_000;
/** Of a check: whoever is refused anyway does not wait long for a better reason. */
const CHECK_MS = 2_000;
/** Enough for what two cores charge at once. */
const CONNECTIONS_PER_REPLICA = 32;

const Taken = z.object({ status: z.enum([...OPEN_CHARGE_STATUSES, ...FINAL_CHARGE_STATUSES]) });
const Refusal = z.object({
  code: z.string(),
  details: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});
/** Refusals after which there is no such payment, and never will be one of this request. */
const REFUSALS = ['NOT_FOUND', 'DUPLICATE_ORDER', 'VALIDATION_FAILED'] as const;

export function createPayments({ urls, tokenKey, log }: Options): Payments {
  const peer = createPeer({
    issuer: 'bindings',
    name: 'payments',
    urls,
    tokenKey,
    callMs: CALL_MS,
    connectionsPerReplica: CONNECTIONS_PER_REPLICA,
  });
  const ask = async (operation: string, path: string, request: ChargeRequest, also: object): Promise<ChargeAnswer> => {
    const { paymentId, partnerId, bindingId, merchantOrderId, amountKopecks, description, createdAt } = request;
    const body = {
      paymentId,
      bindingId,
      merchantOrderId,
      amountKopecks: amountKopecks.toString(),
      description,
      createdAt: createdAt.toISOString(),
      ...also,
    };
    try {
      return await peer.ask({ operation, method: 'POST', path, partnerId, body }, readAnswer);
    } catch (err) {
      log.warn('payments did not answer about a charge, it will be asked again', { err, operation, paymentId });
      return { kind: 'unknown' };
    }
  };
  return {
    charge: (request) => ask('charge', '/internal/charges', request, {}),
    async check({ partnerId, bindingId, merchantOrderId, amountKopecks }) {
      const path = '/internal/charges/checked';
      const body = { bindingId, merchantOrderId, amountKopecks: amountKopecks.toString() };
      const asked = peer
        .ask({ operation: 'check', method: 'POST', path, partnerId, body }, readRefusal)
        .catch((err: unknown) => {
          log.warn('payments did not say whether a charge is good, it is refused for its binding', { err, bindingId });
          return undefined;
        });
      return Promise.race([asked, wait(CHECK_MS, undefined, { ref: false })]);
    },
    withdraw: (request, failureCode) => ask('withdraw', '/internal/charges/withdrawn', request, { failureCode }),
    async tellRevoked(partnerId, bindingId) {
      const path = `/internal/saved-cards/${bindingId}/revoke`;
      try {
        return await peer.ask({ operation: 'revoke', method: 'POST', path, partnerId }, isDone);
      } catch (err) {
        log.warn('payments was not told of a revoke, it asks before its next charge', { err, bindingId });
        return false;
      }
    },
    close: () => peer.close(),
  };
}

function isDone(status: number): true {
  if (status !== 200) throw new Error(`payments answered ${String(status)}`);
  return true;
}

function readAnswer(status: number, answer: unknown): ChargeAnswer {
  if (status === 200) return { kind: 'taken', status: Taken.parse(answer).status };
  const { code, details } = Refusal.parse(answer);
  const error = refusalOf(code, details);
  if (error !== undefined) return { kind: 'refused', error };
  if (code === 'ROUTE_UNAVAILABLE') return { kind: 'route-down' };
  throw new Error(`payments answered ${String(status)} ${code}`);
}

function readRefusal(status: number, answer: unknown): ApiError | undefined {
  if (status === 200) return undefined;
  const { code, details } = Refusal.parse(answer);
  const error = refusalOf(code, details);
  if (error === undefined) throw new Error(`payments answered ${String(status)} ${code}`);
  return error;
}

function refusalOf(code: string, details: FieldError[] | undefined): ApiError | undefined {
  const refusal = REFUSALS.find((known) => known === code);
  return refusal === undefined ? undefined : new ApiError(refusal, details === undefined ? {} : { details });
}
