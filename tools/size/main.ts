import { CEILINGS, measure } from './size.ts';

// npm run size: how much there is of the repository, and how much there may be.
const size = measure();
for (const [figure, ceiling] of Object.entries(CEILINGS)) {
  const [, count = 0] = Object.entries(size).find(([name]) => name === figure) ?? [];
  process.stdout.write(`${figure.padEnd(32)} ${String(count).padStart(8)}  of ${String(ceiling)}\n`);
}
