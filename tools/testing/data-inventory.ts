import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../infrastructure/folders.ts';

/** Personal data in a table, as listed in docs/security/data-inventory.md. */
export type InventoryRow = {
  readonly of: 'Buyers' | 'Staff';
  /** `schema.table`. */
  readonly table: string;
  readonly columns: readonly string[];
  /** What an erasure does to it: begins with `erased`, `after <days>` or `stays`. */
  readonly erased: string;
};

type DataInventory = {
  readonly rows: readonly InventoryRow[];
  /** `schema.table` of tables without personal data. */
  readonly tablesWithout: readonly string[];
  /** `schema.table.column` of columns that only sound personal. */
  readonly columnsWithout: readonly string[];
};

const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

/** Reads the inventory of personal data from its documentation page. */
export function readDataInventory(): DataInventory {
  const lines = readFileSync(join(ROOT, 'docs/security/data-inventory.md'), 'utf8').split('\n');
  const staff = lines.indexOf('## Staff');
  const rows = lines.flatMap((line, index): InventoryRow[] => {
    const [, table = '', columns = '', _from, _kept, erased = ''] = line.split('|').map((cell) => cell.trim());
    const [name] = /^`[a-z_]+\.[a-z_]+`$/.test(table) ? quoted(table) : [];
    const of = index < staff ? 'Buyers' : 'Staff';
    return name === undefined ? [] : [{ of, table: name, columns: quoted(columns), erased }];
  });
  const items = lines.filter((line) => line.startsWith('- '));
  return {
    rows,
    tablesWithout: items.flatMap((line) => {
      const [schema = '', ...tables] = quoted(line);
      return schema.includes('.') ? [] : tables.map((table) => `${schema}.${table}`);
    }),
    columnsWithout: items.flatMap((line) => quoted(line).filter((name) => name.split('.').length === 3)),
  };
}
