import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runCli } from '../../packages/cli/test/run-cli.ts';
import { writePrivateJson } from '../../tools/infrastructure/files.ts';
import { OWNER, roleOf, withClient } from '../../tools/infrastructure/provision.ts';
import { onboardDemoPartner, writeDemoFile } from '../../tools/system/demo.ts';
import { addresses } from '../../tools/system/environment.ts';
import { newState, writeState, type DemoPartner, type OwnProgram, type SystemState } from '../../tools/system/state.ts';
import { removeSystem, startSystemAndServers } from '../../tools/system/up.ts';
import { runningSystem } from '../../tools/testing/running-system.ts';
import { ARTIFACTS } from '../../tools/testing/test-folders.ts';
import type { Undo } from '../restore/system.ts';
import { openWorld, type World } from '../world.ts';

/** A whole system with servers of its own. */
export type CellSystem = {
  readonly folder: string;
  readonly world: World;
  readonly query: <T extends object>(sql: string, values?: readonly unknown[]) => Promise<T[]>;
  /** `pay operator …` as this person; the answer. @throws Error with what it printed if it fails */
  readonly operator: (person: string, ...args: readonly string[]) => Promise<Record<string, unknown>>;
};

type Given = { readonly folder: string; readonly log: (line: string) => void; readonly undo: Undo[] };

/** Starts the cell whose partner will be moved. */
export const startFirstCell = (given: Given): Promise<CellSystem> => start(given, {});

/**
 * Starts the cell that it will be moved to: with partners, keys and servers of its own. Its terminals are at the same bank, and its
 * services decrypt what the first cell encrypted: links and cursors of before.
 */
export async function startSecondCell(given: Given, first: SystemState): Promise<CellSystem> {
  const renamed = (partner: DemoPartner): DemoPartner => ({
    ...partner,
    partnerID: `${partner.partnerID}-2`,
    storeID: `${partner.storeID}-2`,
    paymentPoints: { card: `${partner.paymentPoints.card}-2`, qr: `${partner.paymentPoints.qr}-2` },
    beneficiaryRef: `${partner.beneficiaryRef}-2`,
  });
  const state = newState();
  writeState(given.folder, { ...state, partner: renamed(state.partner), other: renamed(state.other) });
  const keysOf = (service: 'payments' | 'notifier') => ({
    ENCRYPTION_KEY_ID: 'two',
    ENCRYPTION_KEYS_PREVIOUS: `k1:${first.secrets.encryptionKeys[service]}`,
  });
  const { bankUrl } = addresses(first);
  const bank = { SANDBOX_BANK_URL: bankUrl, SANDBOX_BANK_API_KEY: first.secrets.bankApiKey };
  const ofPayments = { ...bank, ...keysOf('payments') };
  return start(given, { payments: ofPayments, checkout: ofPayments, notifier: keysOf('notifier') });
}

async function start({ folder, log, undo }: Given, env: Partial<Record<OwnProgram, Record<string, string>>>): Promise<CellSystem> {
  undo.push(() => rm(folder, { recursive: true, force: true }));
  undo.push(() => removeSystem(folder));
  const state = await startSystemAndServers({ folder, log, purpose: 'test', env });
  await onboardDemoPartner(state, folder, addresses(state));
  writeDemoFile(state, folder);
  const world = await openWorld(runningSystem(folder));
  undo.push(async () => {
    world.client.close();
    await world.receiver.close();
    const logs = join(ARTIFACTS, 'cells-logs', folder.split('/').at(-1) ?? '');
    await rm(logs, { recursive: true, force: true });
    await cp(world.system.logs, logs, { recursive: true });
  });
  const profile = join(folder, 'demo.json');
  return {
    folder,
    world,
    query: <T extends object>(sql: string, values: readonly unknown[] = []): Promise<T[]> =>
      withClient(state.databaseAdminUrl, async (client) => (await client.query<T & Record<string, unknown>>(sql, [...values])).rows),
    operator: async (person, ...args) => {
      const { stdout, stderr, exitCode } = await runCli(['--profile', profile, 'operator', '--as', person, ...args, '--json']);
      if (exitCode !== 0) throw new Error(`pay operator ${args.join(' ')}: ${stderr}${stdout}`);
      return JSON.parse(stdout) as Record<string, unknown>;
    },
  };
}

/** What `npm run move:partner` is given: the owner's database and the keys of each cell, and HAProxy. */
export function writeSettings(
  file: string,
  cells: { readonly from: CellSystem; readonly to: CellSystem },
  proxies: readonly object[],
): void {
  const cellOf = (name: string, { world }: CellSystem) => {
    const { secrets, databaseAdminUrl, env } = world.system.state();
    const owner = Object.assign(new URL(databaseAdminUrl), {
      username: roleOf({ rolePrefix: '' }, OWNER),
      password: secrets.databasePasswords.owner,
    });
    const keysOf = (service: 'payments' | 'notifier') => ({
      ENCRYPTION_KEY: secrets.encryptionKeys[service],
      ENCRYPTION_KEY_ID: env[service]?.['ENCRYPTION_KEY_ID'] ?? 'k1',
      ENCRYPTION_KEYS_PREVIOUS: env[service]?.['ENCRYPTION_KEYS_PREVIOUS'] ?? '',
    });
    return {
      name,
      checkoutUrl: world.system.addresses.checkoutUrl,
      databases: owner.href,
      encryption: { payments: keysOf('payments'), notifier: keysOf('notifier') },
    };
  };
  writePrivateJson(file, { from: cellOf('cell-1', cells.from), to: cellOf('cell-2', cells.to), proxies });
}
