import type { Tx } from '@pay/shared/database/database.ts';
import { EXCEPTION_REASONS } from '../domain/reconciliation.ts';
import { exceptions } from './reconciliation-schema.ts';

/** Something for a person, as it is stored. */
export type Exception = Readonly<typeof exceptions.$inferSelect>;

type Raised = Pick<Exception, 'kind'> &
  Partial<Omit<Exception, 'exceptionId' | 'status' | 'note' | 'resolvedBy' | 'createdAt' | 'resolvedAt'>> &
  /** Without an operation of its own it is the payment's. */
  ({ readonly paymentId: string } | { readonly operationId: string });

/** Puts something before a person. False when the same was there already, settled or not. */
export async function raiseException(tx: Tx, exception: Raised): Promise<boolean> {
  const operationId = exception.operationId ?? exception.paymentId;
  if (operationId === undefined || operationId === null) throw new Error('an exception is about an operation');
  const rows = await tx
    .insert(exceptions)
    .values({ reason: EXCEPTION_REASONS[exception.kind], ...exception, operationId })
    .onConflictDoNothing()
    .returning({ exceptionId: exceptions.exceptionId });
  return rows.length === 1;
}
