import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { isUnavailable, violatedConstraint } from '@pay/shared/postgres/errors.ts';
import { inOneTurn } from '@pay/shared/postgres/fast/one-turn.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { repeatWhileUnavailable } from '@pay/shared/postgres/retry.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import {
  inProgress,
  isHeldByFirstCall,
  once,
  recordStatement,
  type IdempotentRequest,
} from '@pay/shared/idempotency/idempotency.ts';
import type { Acquirer } from '../../acquirers/acquirer.ts';
import {
  findPayment,
  insertPayment,
  paymentStatement,
  type NewPayment,
  type Payment,
} from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';

/** The partner is waiting for the answer. */
const REPEATED_FOR_MS = 1_000;
const STATUS = 201;

/** A new payment that was decided on and is not stored yet. */
export type PlannedPayment = {
  readonly values: NewPayment;
  readonly acquirer: Acquirer;
  /** Publishes what is to be published together with the payment. */
  readonly publish?: (tx: Tx, payment: Payment) => Promise<void>;
};
type Plan = (reader: Reader) => Promise<PlannedPayment>;

/** The payment that this call stored and continues, or the id of the one that an earlier call stored. */
export type InsertedPayment =
  | { readonly kind: 'new'; readonly payment: Payment; readonly acquirer: Acquirer; readonly status: number }
  | { readonly kind: 'repeat'; readonly paymentId: string; readonly status: number };

/**
 * Stores a new payment and the record of its command, once. Usually in two round trips: `plan` reads, then everything is
 * written at once (ADR 0170). If that does not work out, a transaction decides (`once`), which leaves the same rows. A COMMIT
 * without an answer is tried again; if it was carried out, the payment is still this caller's to continue, because it holds
 * the lease. So the id tells whether a command is a repeat.
 * @throws ApiError of `once` or `plan`: then nothing is stored and the key stays free
 */
export async function insertOnce(
  deps: Deps,
  request: IdempotentRequest,
  paymentId: string,
  plan: Plan,
): Promise<InsertedPayment> {
  const made = { objectId: paymentId, status: STATUS };
  let planned: PlannedPayment | undefined;
  const remember: Plan = async (reader) => (planned = await plan(reader));
  let payment = await insertInOneTurn(deps, (tx) => recordStatement(tx, request, made), remember);
  if (payment === undefined) {
    const { objectId, status } = await repeatWhileUnavailable(REPEATED_FOR_MS, () =>
      deps.db.transaction((tx) =>
        once(tx, request, made, async () => {
          const { values, publish } = await remember(tx);
          const stored = await insertPayment(tx, values);
          await publish?.(tx, stored);
        }),
      ),
    );
    if (objectId !== paymentId) return { kind: 'repeat', paymentId: objectId, status };
    payment = await findPayment(deps.db, paymentId);
  }
  if (payment === undefined || planned === undefined) throw new Error('a payment was stored that is not there');
  return { kind: 'new', payment, acquirer: planned.acquirer, status: STATUS };
}

/** The ordinary case. Undefined otherwise: then nothing is stored, or it is not known whether it is. */
async function insertInOneTurn(
  deps: Deps,
  record: (tx: Tx) => ReturnType<typeof recordStatement>,
  plan: Plan,
): Promise<Payment | undefined> {
  try {
    const { values, publish } = await plan(deps.db);
    if (publish !== undefined) return undefined;
    const [, rows] = await inOneTurn(deps.db, (tx) => [record(tx), paymentStatement(tx, values)]);
    return onlyRow(rows);
  } catch (error) {
    if (isHeldByFirstCall(error)) throw inProgress();
    const isMiss = error instanceof ApiError || violatedConstraint(error) !== undefined || isUnavailable(error);
    if (!isMiss) throw error;
    return undefined;
  }
}
