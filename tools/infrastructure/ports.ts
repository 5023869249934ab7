import { randomInt } from 'node:crypto';
import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const LOOPBACK = '127.0.0.1';
/**
 * Below the ports that systems assign to clients (Linux: from 32768): while one of our servers restarts, one of the
 * machine's many connections could otherwise be given its port, and even connect to itself on it.
 */
const LOWEST = 20_000;
const HIGHEST = 32_767;
const TRIES_MAX = 100;

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(undefined);
    });
    server.listen({ host: LOOPBACK, port, exclusive: true }, () => {
      resolve(server);
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP listener has a port');
  return address.port;
}

/** An empty file for each port that was given out lately, by any process of this machine. */
const GIVEN_OUT = join(tmpdir(), 'pay-ports');
/** Longer than a system takes from choosing its ports to listening on them. */
const GIVEN_OUT_FOR_MS = 180_000;

/** Whether nobody else was given this port lately: of two systems that start at once, each gets ports of its own. */
function giveOut(port: number): boolean {
  const file = join(GIVEN_OUT, String(port));
  try {
    mkdirSync(GIVEN_OUT, { recursive: true });
    writeFileSync(file, '', { flag: 'wx' });
    return true;
  } catch {
    const givenOut = statSync(file, { throwIfNoEntry: false });
    // A folder that this user may not write to: then a start may fail, as any may.
    if (givenOut === undefined) return true;
    if (Date.now() - givenOut.mtimeMs < GIVEN_OUT_FOR_MS) return false;
    utimesSync(file, new Date(), new Date());
    return true;
  }
}

async function listenAnywhere(): Promise<Server> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const server = await listen(randomInt(LOWEST, HIGHEST + 1));
    if (server === undefined) continue;
    if (giveOut(portOf(server))) return server;
    server.close();
  }
  throw new Error(`found no free port on ${LOOPBACK} from ${String(LOWEST)} to ${String(HIGHEST)}`);
}

/**
 * Free loopback ports, one for each name, all different. A requested port is kept if it is still free. The ports are
 * free when this returns; somebody may take one before it is used, so whoever starts a server must expect that.
 */
export async function freePorts<Name extends string>(
  names: readonly Name[],
  wished: Partial<Record<Name, number>> = {},
): Promise<Record<Name, number>> {
  const held: Server[] = [];
  const ports: Partial<Record<Name, number>> = {};
  for (const name of names) {
    const wish = wished[name];
    const server = (wish === undefined ? undefined : await listen(wish)) ?? (await listenAnywhere());
    held.push(server);
    ports[name] = portOf(server);
  }
  await Promise.all(held.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports as Record<Name, number>;
}

/** A killed server's ports are free once its last thread has finished its last write: seconds on a slow disk. */
const FREE_WITHIN_MS = 60_000;

/** Waits until nobody uses these loopback ports. @throws Error with the first one that stays in use */
export async function untilFree(ports: readonly number[]): Promise<void> {
  const end = Date.now() + FREE_WITHIN_MS;
  for (const port of ports) {
    for (;;) {
      const server = await listen(port);
      if (server !== undefined) {
        await new Promise((resolve) => server.close(resolve));
        break;
      }
      if (Date.now() > end) throw new Error(`port ${String(port)} is still in use`);
      await sleep(30);
    }
  }
}
