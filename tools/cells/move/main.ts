// `npm run move:partner -- --settings <file> --partner <partnerID> [--check | --release] [--drain-minutes <number>]`: moves a partner
// to another cell (docs/operate/deploy/cells.md). Ends with status 1 if it was not moved.
import { parseArgs } from 'node:util';
import type { PartnerId } from '../../../packages/shared/src/identities/identities.ts';
import { CannotMove, checkPartner, movePartner, releasePartner } from './move.ts';
import { readSettings } from './settings.ts';

/** A checkout may be open for an hour by default; then the bank is asked once more. */
const DRAIN_MINUTES = 70;

const usage = 'npm run move:partner -- --settings <file> --partner <partnerID> [--check | --release] [--drain-minutes <number>]';
const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};

function readOptions() {
  const { values } = parseArgs({
    options: {
      settings: { type: 'string' },
      partner: { type: 'string' },
      check: { type: 'boolean', default: false },
      release: { type: 'boolean', default: false },
      'drain-minutes': { type: 'string', default: String(DRAIN_MINUTES) },
    },
  });
  const { settings, partner, check, release } = values;
  const drainMinutes = Number(values['drain-minutes']);
  if (settings === undefined || partner === undefined || (check && release) || !(drainMinutes > 0)) throw new Error(usage);
  return { settings: readSettings(settings), partnerId: partner as PartnerId, check, release, drainMinutes };
}

try {
  const { check, release, drainMinutes, ...what } = readOptions();
  const giveUp = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      giveUp.abort(new Error(`ended by ${name}`));
    });
  }
  if (check) await checkPartner({ ...what, say });
  else if (release) await releasePartner({ ...what, say });
  else await movePartner({ ...what, say, drainMs: drainMinutes * 60_000, signal: giveUp.signal });
} catch (error) {
  if (error instanceof CannotMove) process.stderr.write(`not moved:\n${error.message}\n`);
  else process.stderr.write(`${Error.isError(error) ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
