// `npm run bench`: every bench, one after another; `npm run bench -- <name>`: one. Loopback only.
import { benchBacklog } from './backlog.ts';
import { benchBulkheads } from './bulkheads.ts';
import { benchCallbacks, benchIsolation } from './callbacks.ts';
import { benchFlood } from './flood.ts';
import { benchGateway } from './gateway.ts';
import { benchLifecycle } from './lifecycle.ts';
import { benchMalformed } from './malformed.ts';
import { benchPayments } from './payments.ts';
import { benchRecurring } from './recurring.ts';
import { benchReplicas } from './replicas.ts';
import { benchSoak } from './soak.ts';
import { machine } from './table.ts';

/** Each prints its figures beside a floor of the same run. */
const BENCHES: Readonly<Record<string, () => Promise<string>>> = {
  payments: benchPayments,
  lifecycle: benchLifecycle,
  recurring: benchRecurring,
  gateway: benchGateway,
  replicas: benchReplicas,
  flood: benchFlood,
  malformed: benchMalformed,
  bulkheads: benchBulkheads,
  callbacks: benchCallbacks,
  isolation: benchIsolation,
  backlog: benchBacklog,
  soak: benchSoak,
};

const names = process.argv.slice(2);
const unknown = names.find((name) => BENCHES[name] === undefined);
if (unknown === undefined) {
  process.stdout.write(`${machine()}\n`);
  for (const [name, bench] of Object.entries(BENCHES)) {
    if (names.length > 0 && !names.includes(name)) continue;
    process.stdout.write(`\n## ${name}\n\n${await bench()}\n`);
  }
} else {
  process.stderr.write(`There is no bench ${unknown}. There are: ${Object.keys(BENCHES).join(', ')}.\n`);
  process.exitCode = 2;
}
