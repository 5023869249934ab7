import { z } from 'zod';
import { BankFault, type BankWord } from '../bank-word.ts';
import type { RegisterEntry } from '../../domain/reconciliation/reconciliation.ts';
import type { RegisterPage } from '../acquirer.ts';

const Page = z.object({
  operations: z.array(
    z.object({
      operationId: z.string().min(1).max(128),
      bankOperationId: z.string().min(1).max(128),
      kind: z.enum(['ORDER', 'CHARGE', 'REFUND']),
      status: z.enum(['REGISTERED', 'THREE_DS_REQUIRED', 'PENDING', 'APPROVED', 'DECLINED', 'CANCELLED', 'EXPIRED']),
      amountKopecks: z.string().regex(/^\d{1,18}$/),
      currency: z.string().max(8),
      originalOperationId: z.string().max(128).nullish(),
    }),
  ),
  next: z.string().max(256).nullish(),
});

/** What each status means for the money. */
const MONEY = {
  REGISTERED: 'none',
  THREE_DS_REQUIRED: 'open',
  PENDING: 'open',
  APPROVED: 'moved',
  DECLINED: 'none',
  CANCELLED: 'none',
  EXPIRED: 'none',
} as const satisfies Record<z.infer<typeof Page>['operations'][number]['status'], RegisterEntry['money']>;

/** A page of the register. @throws BankFault for anything else: half a register proves nothing. */
export function readRegisterPage({ status, body }: BankWord): RegisterPage {
  const parsed = Page.safeParse(body);
  if (status !== 200 || !parsed.success) throw new BankFault(`the register came as ${String(status)}, not as agreed`);
  const { operations, next } = parsed.data;
  return {
    kind: 'page',
    entries: operations.map((operation) => ({
      operationId: operation.operationId,
      bankOperationId: operation.bankOperationId,
      kind: operation.kind === 'REFUND' ? 'REFUND' : 'PAYMENT',
      status: operation.status,
      money: MONEY[operation.status],
      amountKopecks: BigInt(operation.amountKopecks),
      currency: operation.currency,
      originalOperationId: operation.originalOperationId ?? null,
    })),
    next: next ?? undefined,
  };
}
