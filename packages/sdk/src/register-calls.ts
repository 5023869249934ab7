import type { ListPage, Register, RegisterListOptions, RegisterPart, UsdtRegister, UsdtRegisterPart } from './types.ts';
import { answered, queryOf } from './wire.ts';

type ReadOptions = { readonly signal?: AbortSignal };
type Request = (input: ReadOptions & { method: 'GET'; target: string }) => Promise<{ readonly json: unknown; readonly body: Buffer }>;

/** Closed days of your balances: in rubles, and in USDT. */
export type RegisterCalls = {
  /** Newest first. */
  listRegisters(query?: RegisterListOptions, options?: ReadOptions): Promise<ListPage<Register>>;
  /** A day such as `2026-11-22`; `part` from 1 to the `parts` of the register. */
  readRegister(date: string, part?: number, options?: ReadOptions): Promise<RegisterPart>;
  /** The same as the text of a CSV file. */
  readRegisterCsv(date: string, part?: number, options?: ReadOptions): Promise<string>;
  /** As `listRegisters`, in USDT. */
  listUsdtRegisters(query?: RegisterListOptions, options?: ReadOptions): Promise<ListPage<UsdtRegister>>;
  /** As `readRegister`, in USDT. */
  readUsdtRegister(date: string, part?: number, options?: ReadOptions): Promise<UsdtRegisterPart>;
  /** As `readRegisterCsv`, in USDT. */
  readUsdtRegisterCsv(date: string, part?: number, options?: ReadOptions): Promise<string>;
};

/** These calls, sent with the client's signed request. */
export function registerCalls(request: Request): RegisterCalls {
  const rubles = callsOf<Register, RegisterPart>(request, 'RUB');
  const usdt = callsOf<UsdtRegister, UsdtRegisterPart>(request, 'USDT');
  return {
    listRegisters: rubles.list,
    readRegister: rubles.read,
    readRegisterCsv: rubles.readCsv,
    listUsdtRegisters: usdt.list,
    readUsdtRegister: usdt.read,
    readUsdtRegisterCsv: usdt.readCsv,
  };
}

function callsOf<Listed, Part extends { readonly items: unknown }>(request: Request, currency: 'RUB' | 'USDT') {
  const path = `/api/registers/${currency}`;
  const get = (target: string, given: ReadOptions) => request({ ...given, method: 'GET', target });
  const targetOf = (date: string, query: { part: number; format?: 'csv' }) => `${path}/${encodeURIComponent(date)}${queryOf(query)}`;
  return {
    list: async (query: RegisterListOptions = {}, given: ReadOptions = {}) => {
      const { json } = await get(`${path}${queryOf(query)}`, given);
      return answered<ListPage<Listed>>(json, 'items');
    },
    read: async (date: string, part = 1, given: ReadOptions = {}) =>
      answered<Part>((await get(targetOf(date, { part }), given)).json, 'items'),
    readCsv: async (date: string, part = 1, given: ReadOptions = {}) =>
      (await get(targetOf(date, { part, format: 'csv' }), given)).body.toString('utf8'),
  };
}
