import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { clock } from '@pay/shared/postgres/clock.ts';
import { appendHistory } from '../db/history.ts';
import { insertOperation } from '../db/operations.ts';
import type { Deps } from '../deps.ts';
import type { Operation, PaymentMethod } from '../domain/operation.ts';
import { lockCurrent } from './current-operation.ts';
import { fingerprint, requireSameRequest } from './fingerprint.ts';

export type RegisterOrder = {
  readonly operationId: string;
  readonly amountKopecks: bigint;
  readonly currency: string;
  readonly description: string;
  readonly method: PaymentMethod;
  readonly expiresAt: Date;
  readonly returnUrl: string;
};

/** POST /v1/orders. A repeat with the same parameters gets the order's current state. */
export async function registerOrder(deps: Deps, command: RegisterOrder): Promise<Operation> {
  const { operationId, amountKopecks, currency, description, method, expiresAt, returnUrl } = command;
  const requestSha256 = fingerprint('ORDER', [amountKopecks, currency, description, method, expiresAt.toISOString(), returnUrl]);
  return inTransaction(deps.db, async (tx) => {
    const created = await insertOperation(tx, {
      ...command,
      bankOperationId: deps.newId(),
      kind: 'ORDER',
      status: 'REGISTERED',
      requestSha256,
    });
    const order = created ?? (await lockCurrent(tx, operationId, await clock(tx)));
    requireSameRequest(order, requestSha256);
    await appendHistory(tx, operationId, [{ event: 'REQUESTED', detail: 'register' }]);
    return order;
  });
}
