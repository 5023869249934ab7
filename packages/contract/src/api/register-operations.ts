import type { z } from 'zod';
import type { Operation } from './operation.ts';
import {
  RegisterList,
  RegisterListQuery,
  RegisterPart,
  RegisterPartQuery,
  UsdtRegisterList,
  UsdtRegisterPart,
} from './registers.ts';

/** Closed days of both balances of a partner. ADR 0137. */
export const REGISTER_OPERATIONS: readonly Operation[] = [
  {
    ...listOf('RUB', RegisterList),
    operationId: 'listRegisters',
    summary: 'The closed days of the balance in rubles, the newest first',
  },
  { ...oneOf('RUB', RegisterPart), operationId: 'readRegister', summary: 'A closed day, booking by booking' },
  {
    ...listOf('USDT', UsdtRegisterList),
    operationId: 'listUsdtRegisters',
    summary: 'The closed days in USDT, the newest first',
  },
  {
    ...oneOf('USDT', UsdtRegisterPart),
    operationId: 'readUsdtRegister',
    summary: 'A closed day in USDT, booking by booking',
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
