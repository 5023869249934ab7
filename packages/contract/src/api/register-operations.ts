import type { z } from 'zod';
import type { Operation } from './operation.ts';
import { RegisterList, RegisterListQuery, RegisterPart, RegisterPartQuery, UsdtRegisterList, UsdtRegisterPart } from './registers.ts';

/** The registers of closed days, for both balances of a partner. See decisions/daily-registers. */
export const REGISTER_OPERATIONS: readonly Operation[] = [
  {
    ...listOf('RUB', RegisterList),
    operationId: 'listRegisters',
    summary: 'List the closed days of the ruble balance, newest first',
  },
  { ...oneOf('RUB', RegisterPart), operationId: 'readRegister', summary: 'Get a closed day, entry by entry' },
  {
    ...listOf('USDT', UsdtRegisterList),
    operationId: 'listUsdtRegisters',
    summary: 'List the closed days in USDT, newest first',
  },
  {
    ...oneOf('USDT', UsdtRegisterPart),
    operationId: 'readUsdtRegister',
    summary: 'Get a closed day in USDT, entry by entry',
  },
];

type Unnamed = Omit<Operation, 'operationId' | 'summary'>;

function listOf(currency: string, response: z.ZodType): Unnamed {
  return {
    method: 'get',
    path: `/api/registers/${currency}`,
    query: RegisterListQuery,
    status: 200,
    response,
    errors: [],
  };
}

function oneOf(currency: string, response: z.ZodType): Unnamed {
  return {
    method: 'get',
    path: `/api/registers/${currency}/{date}`,
    query: RegisterPartQuery,
    status: 200,
    response,
    isAlsoCsv: true,
    errors: ['NOT_FOUND'],
  };
}
