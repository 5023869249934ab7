import { renderSignedRub } from '@pay/shared/money/money.ts';
import type { RegisterView } from '@pay/shared/registers/register-routes.ts';
import { findRegister, listRegisterLines, listRegisters } from '../../db/ledger/registers.ts';
import type { Register, RegisterLine } from '../../domain/ledger/register.ts';

/** GET /api/registers/RUB and GET /api/registers/RUB/{date}: closed days of a partner's ruble balance. ADR 0137. */
export const RUBLE_REGISTERS: RegisterView<Register, RegisterLine> = {
  currency: 'RUB',
  list: listRegisters,
  find: findRegister,
  listLines: listRegisterLines,
  renderSums: (register) => ({
    openingBalance: renderSignedRub(register.openingKopecks),
    payments: renderSignedRub(register.paymentsKopecks),
    recurringCharges: renderSignedRub(register.chargesKopecks),
    refunds: renderSignedRub(register.refundsKopecks),
    fees: renderSignedRub(register.feesKopecks),
    closingBalance: renderSignedRub(register.closingKopecks),
  }),
  renderLine: (line) => ({
    line: line.line,
    bookedAt: line.bookedAt.toISOString(),
    type: line.type,
    orderId: line.paymentId,
    merchantOrderId: line.merchantOrderId,
    refundId: line.refundId,
    merchantRefundId: line.merchantRefundId,
    paymentPointID: line.paymentPointId,
    paymentMethod: line.method,
    amount: renderSignedRub(line.amountKopecks),
    fee: renderSignedRub(line.feeKopecks),
    net: renderSignedRub(line.amountKopecks + line.feeKopecks),
    balance: renderSignedRub(line.balanceKopecks),
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
  opening: (register) => ({ balance: renderSignedRub(register.openingKopecks) }),
  closing: (register) => ({ balance: renderSignedRub(register.closingKopecks) }),
};
