// `npm run test:clients [-- <generator>…]`: clients generated from docs/openapi.json keep every amount.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changed, writeAmounts } from './amounts.ts';
import { GENERATORS } from './generators.ts';
import { missing } from './needs.ts';

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in GENERATORS));
if (unknown.length > 0) {
  process.stderr.write(`${unknown.join(', ')}: the generators are ${Object.keys(GENERATORS).join(', ')}\n`);
  process.exit(2);
}
for (const [name, { needs, passOn }] of Object.entries(GENERATORS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const lacks = missing(needs);
  if (lacks.length > 0) {
    process.stderr.write(lacks.map((sentence) => `${name}: ${sentence}\n`).join(''));
    process.exitCode = 1;
    continue;
  }
  const folder = await mkdtemp(join(tmpdir(), 'client-'));
  try {
    const amounts = writeAmounts();
    const passed = passOn(folder, `${amounts.join('\n')}\n`)
      .trim()
      .split('\n');
    const wrong = changed(amounts, passed);
    process.stdout.write(`${name}: ${String(amounts.length)} amounts, ${String(wrong.length)} changed ${wrong.slice(0, 5).join(', ')}\n`);
    if (wrong.length > 0) process.exitCode = 1;
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}
