import type { z } from 'zod';
import { RegisterListQuery, RegisterPartQuery, type RegisterPart } from '@pay/contract/api/registers.ts';
import { renderRubAmount } from '@pay/shared/money/money.ts';
import type { RegisterView } from '@pay/shared/registers/register-routes.ts';
import { findRegister, listRegisterLines, listRegisters } from '../../db/ledger/registers.ts';
import type { Register, RegisterLine } from '../../domain/ledger/register.ts';

type Answer = z.input<typeof RegisterPart>;
type Sums = Omit<Answer, 'date' | 'currency' | 'lines' | 'parts' | 'madeAt' | 'part' | 'items'>;

/**
 * GET /api/registers/RUB and GET /api/registers/RUB/{date}: the closed days of a partner's ruble balance. See
 * decisions/daily-registers.
 */
export const RUBLE_REGISTERS: RegisterView<Register, RegisterLine> = {
  currency: 'RUB',
  queries: { list: RegisterListQuery, part: RegisterPartQuery },
  list: listRegisters,
  find: findRegister,
  listLines: listRegisterLines,
  renderSums: (register): Sums => ({
    openingBalance: renderRubAmount(register.openingKopecks),
    payments: renderRubAmount(register.paymentsKopecks),
    recurringCharges: renderRubAmount(register.chargesKopecks),
    refunds: renderRubAmount(register.refundsKopecks),
    fees: renderRubAmount(register.feesKopecks),
    closingBalance: renderRubAmount(register.closingKopecks),
  }),
  renderLine: (line): Answer['items'][number] => ({
    line: line.line,
    bookedAt: line.bookedAt.toISOString(),
    type: line.type,
    orderId: line.paymentId,
    merchantOrderId: line.merchantOrderId,
    refundId: line.refundId,
    merchantRefundId: line.merchantRefundId,
    paymentPointID: line.paymentPointId,
    paymentMethod: line.method,
    amount: renderRubAmount(line.amountKopecks),
    fee: renderRubAmount(line.feeKopecks),
    net: renderRubAmount(line.amountKopecks + line.feeKopecks),
    balance: renderRubAmount(line.balanceKopecks),
  }),
  columns: [
    'line',
    'bookedAt',
    'type',
    'orderId',
    'merchantOrderId',
    'refundId',
    'merchantRefundId',
    'paymentPointID',
    'paymentMethod',
    'amount',
    'fee',
    'net',
    'balance',
    'currency',
  ],
  opening: (register) => ({ balance: renderRubAmount(register.openingKopecks) }),
  closing: (register) => ({ balance: renderRubAmount(register.closingKopecks) }),
};
