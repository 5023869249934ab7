import { renderUsdtAmount, renderUsdt } from '@pay/shared/money/money.ts';
import { RegisterListQuery, RegisterPartQuery } from '@pay/contract/api/registers.ts';
import type { RegisterView } from '@pay/shared/registers/register-routes.ts';
import { findRegister, listRegisterLines, listRegisters } from '../../db/registers.ts';
import type { Register, RegisterLine } from '../../domain/register.ts';

/**
 * GET /api/registers/USDT and GET /api/registers/USDT/{date}: closed days of a partner's USDT. See
 * decisions/daily-registers.
 */
export const USDT_REGISTERS: RegisterView<Register, RegisterLine> = {
  currency: 'USDT',
  queries: { list: RegisterListQuery, part: RegisterPartQuery },
  list: listRegisters,
  find: findRegister,
  listLines: listRegisterLines,
  renderSums: (register) => ({
    openingAvailable: renderUsdtAmount(register.openingAvailableMicroUsdt),
    openingReserved: renderUsdtAmount(register.openingReservedMicroUsdt),
    funded: renderUsdt(register.fundedMicroUsdt),
    requested: renderUsdt(register.requestedMicroUsdt),
    released: renderUsdt(register.releasedMicroUsdt),
    completed: renderUsdt(register.completedMicroUsdt),
    closingAvailable: renderUsdtAmount(register.closingAvailableMicroUsdt),
    closingReserved: renderUsdtAmount(register.closingReservedMicroUsdt),
  }),
  renderLine: (line) => ({
    line: line.line,
    bookedAt: line.bookedAt.toISOString(),
    type: line.type,
    storeId: line.storeId,
    withdrawalRequestId: line.withdrawalRequestId,
    fundingId: line.fundingId,
    beneficiaryRef: line.beneficiaryRef,
    transferReference: line.transferReference,
    amount: renderUsdt(line.amountMicroUsdt),
    availableChange: renderUsdtAmount(line.availableChangeMicroUsdt),
    reservedChange: renderUsdtAmount(line.reservedChangeMicroUsdt),
    available: renderUsdtAmount(line.availableMicroUsdt),
    reserved: renderUsdtAmount(line.reservedMicroUsdt),
  }),
  columns: [
    'line',
    'bookedAt',
    'type',
    'storeId',
    'withdrawalRequestId',
    'fundingId',
    'beneficiaryRef',
    'transferReference',
    'amount',
    'availableChange',
    'reservedChange',
    'available',
    'reserved',
    'currency',
  ],
  opening: (register) => ({
    available: renderUsdtAmount(register.openingAvailableMicroUsdt),
    reserved: renderUsdtAmount(register.openingReservedMicroUsdt),
  }),
  closing: (register) => ({
    available: renderUsdtAmount(register.closingAvailableMicroUsdt),
    reserved: renderUsdtAmount(register.closingReservedMicroUsdt),
  }),
};
