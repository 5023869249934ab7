import type { HttpDeps } from '../deps.ts';
import type { Operation } from '../domain/operation.ts';

/** An operation as the acquirer API shows it. A card's token is included only once money was taken. */
export function renderOperation({ publicUrl }: Pick<HttpDeps, 'publicUrl'>, operation: Operation): Record<string, string> {
  const { kind, method, status } = operation;
  const paysBySbp = kind === 'ORDER' && method === 'SBP';
  const shown = {
    operationId: operation.operationId,
    bankOperationId: operation.bankOperationId,
    kind,
    method,
    status,
    reason: operation.reason,
    amountKopecks: operation.amountKopecks.toString(),
    currency: operation.currency,
    originalOperationId: operation.originalOperationId,
    cardMask: operation.cardMask,
    cardExpiry: operation.cardExpiry,
    cardToken: status === 'APPROVED' ? operation.cardToken : null,
    acsUrl: status === 'THREE_DS_REQUIRED' && operation.threeDsId !== null ? `${publicUrl}/3ds/${operation.threeDsId}` : null,
    threeDsVersion: operation.threeDsVersion,
    transStatus: operation.transStatus,
    eci: operation.eci,
    threeDsServerTransId: operation.threeDsServerTransId,
    dsTransId: operation.dsTransId,
    acsTransId: operation.acsTransId,
    nspkurl: paysBySbp ? `${publicUrl}/sbp/${operation.bankOperationId}` : null,
    createdAt: operation.createdAt.toISOString(),
    updatedAt: operation.updatedAt.toISOString(),
  };
  return Object.fromEntries(Object.entries(shown).filter((entry): entry is [string, string] => entry[1] !== null));
}
