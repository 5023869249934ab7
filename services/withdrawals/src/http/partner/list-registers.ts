import { renderSignedUsdt, renderUsdt } from '@pay/shared/money/money.ts';
import type { RegisterView } from '@pay/shared/registers/register-routes.ts';
import { findRegister, listRegisterLines, listRegisters } from '../../db/registers.ts';
import type { Register, RegisterLine } from '../../domain/register.ts';

/** GET /api/registers/USDT and GET /api/registers/USDT/{date}: closed days of a partner's USDT. ADR 0137. */
export const USDT_REGISTERS: RegisterView<Register, RegisterLine> = {
  currency: 'USDT',
  list: listRegisters,
  find: findRegister,
  listLines: listRegisterLines,
  renderSums: (register) => ({
    openingAvailable: renderSignedUsdt(register.openingAvailableMicroUsdt),
    openingReserved: renderSignedUsdt(register.openingReservedMicroUsdt),
    funded: renderUsdt(register.fundedMicroUsdt),
    requested: renderUsdt(register.requestedMicroUsdt),
    released: renderUsdt(register.releasedMicroUsdt),
    completed: renderUsdt(register.completedMicroUsdt),
    closingAvailable: renderSignedUsdt(register.closingAvailableMicroUsdt),
    closingReserved: renderSignedUsdt(register.closingReservedMicroUsdt),
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
    availableChange: renderSignedUsdt(line.availableChangeMicroUsdt),
    reservedChange: renderSignedUsdt(line.reservedChangeMicroUsdt),
    available: renderSignedUsdt(line.availableMicroUsdt),
    reserved: renderSignedUsdt(line.reservedMicroUsdt),
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
    available: renderSignedUsdt(register.openingAvailableMicroUsdt),
    reserved: renderSignedUsdt(register.openingReservedMicroUsdt),
  }),
  closing: (register) => ({
    available: renderSignedUsdt(register.closingAvailableMicroUsdt),
    reserved: renderSignedUsdt(register.closingReservedMicroUsdt),
  }),
};
