import { jest } from '@jest/globals';
import { PgDialect } from 'drizzle-orm/pg-core';

/** How often drizzle built the text of a statement meanwhile, in this process. */
export async function textsBuilt(act: () => Promise<unknown>): Promise<number> {
  const built = jest.spyOn(PgDialect.prototype, 'sqlToQuery');
  try {
    await act();
    return built.mock.calls.length;
  } finally {
    built.mockRestore();
  }
}
