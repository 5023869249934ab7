import type { Reader, Tx } from '@pay/shared/postgres/db.ts';
import { isUnavailable, violatedConstraint } from '@pay/shared/postgres/errors.ts';
import type { Writer } from '@pay/shared/postgres/fast/one-statement.ts';
import { inSharedPipeline } from '@pay/shared/postgres/fast/shared-pipeline.ts';
import { letGo } from '@pay/shared/postgres/let-go.ts';
import { onlyRow } from '@pay/shared/postgres/only-row.ts';
import { repeatWhileUnavailable } from '@pay/shared/postgres/retry.ts';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { inProgress, isHeldByFirstCall, once, recordStatement, type IdempotentRequest } from '@pay/shared/idempotency/idempotency.ts';
import { stopwatch } from '@pay/shared/time/wall-clock.ts';
import type { Acquirer } from '../../acquirers/acquirer.ts';
import { abandonNewPayment, fenceJustTaken, fenceOf, LEASE_MS, leaseOf } from '../../db/payment/leases.ts';
import { findPayment, insertPayment, paymentStatement, type NewPayment, type Payment } from '../../db/payment/payments.ts';
import type { Deps } from '../../deps.ts';
import type { Fence } from '../../domain/acquiring/fence.ts';

/** The partner is waiting for the answer. */
const REPEATED_FOR_MS = 1_000;
const STATUS = 201;

/** A new payment that was decided on and is not stored yet. */
export type PaymentDraft = {
  readonly values: NewPayment;
  readonly acquirer: Acquirer;
  /** Publishes what is to be published together with the payment. */
  readonly publish?: (tx: Tx, payment: Payment) => Promise<void>;
};
type DraftPayment = (reader: Reader) => Promise<PaymentDraft>;

/** A payment that was stored just now, and the fence of the lease with which it was stored. */
type Stored = { readonly payment: Payment; readonly fence: Fence };

/** The payment that this call stored and continues, or the id of the one that an earlier call stored. */
export type InsertedPayment =
  | (Stored & { readonly kind: 'new'; readonly acquirer: Acquirer; readonly status: number })
  | { readonly kind: 'repeat'; readonly paymentId: string; readonly status: number };

/**
 * Stores a new payment and the record of its command, once. Usually in two round trips: `draft` reads, then everything is
 * written at once (decisions/round-trips). If that does not work out, a transaction decides (`once`), which leaves the
 * same rows. A COMMIT without an answer is tried again; if it was carried out, the payment is still this caller's to
 * continue, because it holds the lease. So the id tells whether a command is a repeat.
 * @throws ApiError of `once` or `draft`: then nothing is stored and the key stays free
 */
export async function insertOnce(deps: Deps, request: IdempotentRequest, paymentId: string, draft: DraftPayment): Promise<InsertedPayment> {
  const tokens = new Set<string>();
  const remember: DraftPayment = async (reader) => {
    const drafted = await draft(reader);
    // A payment that waits for the buyer's consent is leased to nobody.
    if (drafted.values.leaseNumber === 1) tokens.add(drafted.values.checkoutToken);
    return drafted;
  };
  try {
    return await insert(deps, request, paymentId, remember);
  } catch (error) {
    if (isUnavailable(error)) {
      for (const token of tokens) letGo(deps.db, { heldForMs: LEASE_MS, release: (tx) => abandonNewPayment(tx, paymentId, token) });
    }
    throw error;
  }
}

async function insert(deps: Deps, request: IdempotentRequest, paymentId: string, draft: DraftPayment): Promise<InsertedPayment> {
  const made = { objectId: paymentId, status: STATUS };
  let drafted: PaymentDraft | undefined;
  const remember: DraftPayment = async (reader) => (drafted = await draft(reader));
  let stored = await insertOptimistically(deps, (writer) => recordStatement(writer, request, made), remember);
  if (stored === undefined) {
    const { objectId, status } = await repeatWhileUnavailable(REPEATED_FOR_MS, () =>
      deps.db.transaction((tx) =>
        once(tx, request, made, async () => {
          const { values, publish } = await remember(tx);
          const payment = await insertPayment(tx, values);
          await publish?.(tx, payment);
        }),
      ),
    );
    if (objectId !== paymentId) return { kind: 'repeat', paymentId: objectId, status };
    const found = await findPayment(deps.db, paymentId);
    // With the number of our lease: by now the row may have a newer one.
    const payment = found === undefined ? undefined : { ...found, leaseNumber: drafted?.values.leaseNumber ?? 0 };
    stored = payment === undefined ? undefined : { payment, fence: fenceOf(deps.db, leaseOf(payment)) };
  }
  if (stored === undefined || drafted === undefined) throw new Error('a payment was stored that is not there');
  return { kind: 'new', ...stored, acquirer: drafted.acquirer, status: STATUS };
}

/** The ordinary case. Undefined otherwise: then nothing is stored, or it is not known whether it is. */
async function insertOptimistically(
  deps: Deps,
  record: (writer: Writer) => ReturnType<typeof recordStatement>,
  draft: DraftPayment,
): Promise<Stored | undefined> {
  // The lease begins at the moment that `draft` reads.
  const elapsedMs = stopwatch();
  try {
    const { values, publish } = await draft(deps.db);
    if (publish !== undefined) return undefined;
    const [, rows] = await inSharedPipeline(deps.db, values.partnerId, (writer) => [record(writer), paymentStatement(writer, values)]);
    const payment = onlyRow(rows);
    return { payment, fence: fenceJustTaken(fenceOf(deps.db, leaseOf(payment)), elapsedMs) };
  } catch (error) {
    if (isHeldByFirstCall(error)) throw inProgress();
    const isMiss = error instanceof ApiError || violatedConstraint(error) !== undefined || isUnavailable(error);
    if (!isMiss) throw error;
    return undefined;
  }
}
