import type { Register, RegisterListOptions, RegisterPart } from './register-types.ts';
import type { ListPage } from './types.ts';
import { answered, queryOf } from './wire.ts';

type ReadOptions = { readonly signal?: AbortSignal };
type Request = (
  input: ReadOptions & { method: 'GET'; target: string },
) => Promise<{ readonly json: unknown; readonly body: Buffer }>;

/** Closed days of your balance. */
export type RegisterCalls = {
  /** The newest first. */
  listRegisters(query?: RegisterListOptions, options?: ReadOptions): Promise<ListPage<Register>>;
  /** A day such as `2026-11-22`; `part` from 1 to the `parts` of the register. */
  readRegister(date: string, part?: number, options?: ReadOptions): Promise<RegisterPart>;
  /** The same as the text of a CSV file. */
  readRegisterCsv(date: string, part?: number, options?: ReadOptions): Promise<string>;
};

/** These calls, by the client's own signed request. */
export function registerCalls(request: Request): RegisterCalls {
  const get = (target: string, given: ReadOptions = {}) => request({ ...given, method: 'GET', target });
  const targetOf = (date: string, query: { part: number; format?: 'csv' }) =>
    `/api/registers/RUB/${encodeURIComponent(date)}${queryOf(query)}`;
  return {
    async listRegisters(query = {}, given = {}) {
      const { json } = await get(`/api/registers/RUB${queryOf(query)}`, given);
      return answered<ListPage<Register>>(json, 'items');
    },
    async readRegister(date, part = 1, given = {}) {
      return answered<RegisterPart>((await get(targetOf(date, { part }), given)).json, 'items');
    },
    async readRegisterCsv(date, part = 1, given = {}) {
      return (await get(targetOf(date, { part, format: 'csv' }), given)).body.toString('utf8');
    },
  };
}
