// `npm run test:faults`: every row of the table; `npm run test:faults -- <row> …`: these. Writes docs/faults.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { ROWS } from './rows.ts';
import { startFaultSystem } from './system.ts';
import { isOk, renderResult, runRow, TABLE_HEAD } from './table.ts';

const PAGE = new URL('../../docs/faults.md', import.meta.url);
const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

/** Puts the rows that were run in their places in the page's table; the others stay as they are. */
async function writeTable(lines: ReadonlyMap<string, string>): Promise<void> {
  const page = readFileSync(PAGE, 'utf8');
  const before = new Map([...page.matchAll(/^\| ([a-z-]+) +\|.*$/gm)].map(([line, name = '']) => [name, line]));
  const table = ROWS.flatMap(({ name }) => lines.get(name) ?? before.get(name) ?? []);
  const [head = ''] = page.split('\n| row');
  const text = `${head}\n${TABLE_HEAD}\n${table.join('\n')}\n`;
  writeFileSync(PAGE, await format(text, { ...(await resolveConfig(fileURLToPath(PAGE))), parser: 'markdown' }));
}

const names = process.argv.slice(2);
const unknown = names.find((name) => ROWS.every((row) => row.name !== name));
if (unknown !== undefined) {
  process.stderr.write(`There is no row ${unknown}. There are: ${ROWS.map(({ name }) => name).join(', ')}.\n`);
  process.exitCode = 2;
} else {
  const lines = new Map<string, string>();
  const system = await startFaultSystem((line) => {
    say(`  ${line}`);
  });
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => {
      void system.remove().finally(() => process.exit(130));
    });
  try {
    say(TABLE_HEAD);
    for (const row of ROWS) {
      if (names.length > 0 && !names.includes(row.name)) continue;
      const problem = row.problem?.(system);
      if (problem !== undefined) {
        say(`| ${row.name} | not tried: ${problem} |`);
        continue;
      }
      const result = await runRow(system, row);
      const line = renderResult(row, result);
      say(line);
      for (const sentence of [...result.lost, ...result.twice].slice(0, 10)) say(`    ${sentence}`);
      lines.set(row.name, line);
      if (!isOk(row, result)) process.exitCode = 1;
    }
  } finally {
    await system.remove();
  }
  await writeTable(lines);
}
