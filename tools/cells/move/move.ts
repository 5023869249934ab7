import { setTimeout as wait } from 'node:timers/promises';
import type { PartnerId } from '../../../packages/shared/src/identities/identities.ts';
import { connectTo, disconnect, numberOf, rowsOf, type Connections } from './cells.ts';
import { copyService } from './copy.ts';
import { openOf } from './drain.ts';
import { allowChanges, refuseChanges } from './fence.ts';
import { obstaclesOf, rowsThere } from './obstacles.ts';
import { cellAt, HELD, sendTo } from './proxies.ts';
import type { Settings } from './settings.ts';
import { MOVED_SERVICES } from './tables.ts';

/** Nothing was changed, or everything was taken back. */
export class CannotMove extends Error {
  override readonly name = 'CannotMove';
}

type Options = {
  readonly settings: Settings;
  readonly partnerId: PartnerId;
  /** How long the partner may be held until nothing of it is open. */
  readonly drainMs: number;
  /** Gives up what has not been copied yet. */
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
};

/** How often the old cell is asked what is open. */
const LOOK_MS = 1_000;
/** A call that the old cell has got is answered by then. */
const CALL_MS = 35_000;
/** The new cell's gateways read their partners each second; the contract allows them five. */
const KNOWN_MS = 6_000;

/**
 * Moves a partner from one cell to another: hold, drain, copy and compare, switch. May be killed at any point and run again: what is
 * committed tells where it was. Until the first service's rows are committed in the new cell, a failure takes everything back.
 * @throws CannotMove with sentences for people
 */
export async function movePartner(options: Options): Promise<void> {
  await withCells(options.settings, async (cells) => {
    const { from, to } = cells;
    const { partnerId, settings, say } = options;
    const begun = await movedTo(from, partnerId);
    if (begun !== undefined && begun !== to.name) throw new CannotMove(`${partnerId} was moved to ${begun}`);
    if (begun === undefined) await demandMovable(options, cells);
    else say(`continues: ${from.name} refuses changes for ${partnerId}`);
    if ((await committed(cells, partnerId)).length === 0) await holdAndCopy(options, cells);
    else await copy(options, cells);
    await letIn(options, cells);
    await sendTo(settings.proxies, partnerId, to.name);
    say(`switched: calls go to ${to.name}`);
    await forgetDeliveries(from, partnerId);
    say(`moved: write "${partnerId} ${to.name}" into the map's file of every proxy`);
  });
}

/** Says whether a partner can be moved now, and what would be waited for. Changes nothing. @throws CannotMove */
export async function checkPartner(options: Pick<Options, 'settings' | 'partnerId' | 'say'>): Promise<void> {
  await withCells(options.settings, async (cells) => {
    await demandMovable(options, cells);
    const open = await openOf(cells.from, options.partnerId);
    options.say(open.length === 0 ? 'nothing is open' : `would wait: ${open.join(', ')}`);
  });
}

/** Takes a move back that was killed before anything was committed in the new cell. @throws CannotMove */
export async function releasePartner(options: Pick<Options, 'settings' | 'partnerId' | 'say'>): Promise<void> {
  await withCells(options.settings, async (cells) => {
    const there = await committed(cells, options.partnerId);
    if (there.length > 0) throw new CannotMove(`${cells.to.name} has its rows of ${there.join(', ')}: run the move again`);
    await release(options, cells);
  });
}

type Cells = { readonly from: Connections; readonly to: Connections };

async function withCells(settings: Settings, work: (cells: Cells) => Promise<void>): Promise<void> {
  const from = await connectTo(settings.from);
  try {
    const to = await connectTo(settings.to);
    try {
      await work({ from, to });
    } finally {
      await disconnect(to);
    }
  } finally {
    await disconnect(from);
  }
}

async function demandMovable({ settings, partnerId, say }: Pick<Options, 'settings' | 'partnerId' | 'say'>, cells: Cells): Promise<void> {
  const obstacles = await obstaclesOf(cells, settings, partnerId);
  for (const proxy of settings.proxies) {
    const cell = await cellAt(proxy, partnerId);
    if (cell !== undefined && cell !== cells.from.name && cell !== HELD) obstacles.push(`${proxy.socket} sends ${partnerId} to ${cell}`);
  }
  if (obstacles.length > 0) throw new CannotMove(obstacles.join('\n'));
  say(`checked: ${partnerId} can be moved from ${cells.from.name} to ${cells.to.name}`);
}

async function movedTo(from: Connections, partnerId: PartnerId): Promise<string | undefined> {
  for (const service of MOVED_SERVICES) {
    const [row] = await rowsOf<{ cell: string }>(from[service], 'select cell from moved_partners where partner_id = $1', [partnerId]);
    if (row !== undefined) return row.cell;
  }
  return undefined;
}

/** The services whose rows are in the new cell: each came in one transaction. */
async function committed({ to }: Cells, partnerId: PartnerId): Promise<string[]> {
  const found: string[] = [];
  for (const service of MOVED_SERVICES) if ((await rowsThere(to, service, partnerId)) !== undefined) found.push(service);
  return found;
}

async function holdAndCopy(options: Options, cells: Cells): Promise<void> {
  try {
    await hold(options, cells);
    await copy(options, cells);
  } catch (error) {
    if ((await committed(cells, options.partnerId).catch(() => ['?'])).length > 0) throw error;
    await release(options, cells);
    throw new CannotMove(Error.isError(error) ? error.message : String(error), { cause: error });
  }
}

/** Holds the partner's calls, waits until nothing of it is open, and has the old cell refuse every change from then on. */
async function hold({ settings, partnerId, drainMs, signal, say }: Options, { from }: Cells): Promise<void> {
  const until = performance.now() + drainMs;
  await sendTo(settings.proxies, partnerId, HELD);
  // A run that was killed may have left it so that nothing could end.
  await allowChanges(from, partnerId);
  const heldAt = performance.now();
  say(`held: calls of ${partnerId} get 503 with Retry-After`);
  let told = '';
  for (;;) {
    signal.throwIfAborted();
    const underWay = performance.now() - heldAt < CALL_MS ? ['calls from before may be under way'] : [];
    const open = [...(await openOf(from, partnerId)), ...underWay];
    if (open.length === 0) {
      await refuseChanges(from, partnerId, settings.to);
      // Somebody may have written in between.
      if ((await openOf(from, partnerId)).length === 0) break;
      await allowChanges(from, partnerId);
    }
    if (performance.now() > until) throw new CannotMove(`still open: ${open.join(', ')}`);
    if (open.join(', ') !== told) say(`waits: ${open.join(', ')}`);
    told = open.join(', ');
    await wait(LOOK_MS, undefined, { signal });
  }
  say(`drained: nothing is open, and ${from.name} refuses changes`);
}

/** Copies what is not there yet. Everything is compared before the first service is committed. */
async function copy({ settings, partnerId, signal, say }: Options, cells: Cells): Promise<void> {
  const { from, to } = cells;
  const there = await committed(cells, partnerId);
  const missing = MOVED_SERVICES.filter((service) => !there.includes(service));
  try {
    for (const service of missing) {
      signal.throwIfAborted();
      const rows = await copyService({ from, to, settings, partnerId }, service);
      say(`compared: ${String(rows)} rows of ${service} are the same in both cells`);
    }
  } catch (error) {
    for (const service of missing) {
      await to[service].query('rollback').catch(() => undefined);
      await from[service].query('rollback').catch(() => undefined);
    }
    throw error;
  }
  for (const service of missing) {
    await to[service].query('commit');
    say(`copied: ${service}`);
  }
}

/** Waits until the new cell's gateways know the partner, and its payments too. */
async function letIn({ partnerId }: Options, { to }: Cells): Promise<void> {
  const until = performance.now() + 10 * KNOWN_MS;
  const untold = 'select count(*) from partners where partner_id = $1 and told_revision < revision';
  while ((await numberOf(to.gateway, untold, [partnerId])) > 0) {
    if (performance.now() > until) throw new CannotMove(`the gateway of ${to.name} does not run: run the move again when it does`);
    await wait(LOOK_MS);
  }
  await wait(KNOWN_MS);
}

/** What the old cell had not delivered, the new one delivers. */
async function forgetDeliveries(from: Connections, partnerId: PartnerId): Promise<void> {
  await from.notifier.query(
    `update aggregates set due_at = null, next_version = last_version + 1 where partner_id = $1 and next_version <= last_version`,
    [partnerId],
  );
}

async function release({ settings, partnerId, say }: Pick<Options, 'settings' | 'partnerId' | 'say'>, { from }: Cells): Promise<void> {
  await allowChanges(from, partnerId);
  await wait(KNOWN_MS);
  await sendTo(settings.proxies, partnerId, from.name);
  say(`released: calls go to ${from.name} again`);
}
