import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Proxy } from './settings.ts';

const ANSWER_MS = 5_000;
/** The backend that answers 503 with Retry-After. */
export const HELD = 'moving';

/** Where a proxy sends a partner's calls; undefined if the map does not have it, and so the first cell gets them. */
export async function cellAt(proxy: Proxy, partnerId: string): Promise<string | undefined> {
  const answer = await tell(proxy, `get map ${proxy.map} ${partnerId}`);
  if (!answer.includes('found=')) throw new Error(`${proxy.socket}: ${answer.trim()}`);
  return /\bvalue="([^"]*)"/.exec(answer)?.[1];
}

/** Sends a partner's calls elsewhere, at every proxy. Safe to repeat. @throws Error if one does not do so */
export async function sendTo(proxies: readonly Proxy[], partnerId: string, cell: string): Promise<void> {
  for (const proxy of proxies) {
    const verb = (await cellAt(proxy, partnerId)) === undefined ? 'add' : 'set';
    await tell(proxy, `${verb} map ${proxy.map} ${partnerId} ${cell}`);
    const now = await cellAt(proxy, partnerId);
    if (now !== cell) throw new Error(`${proxy.socket} sends ${partnerId} to ${now ?? 'the first cell'}, not to ${cell}`);
  }
}

async function tell({ socket }: Proxy, command: string): Promise<string> {
  const [, host, port] = /^([^/]+):(\d+)$/.exec(socket) ?? [];
  const connection = host === undefined ? connect(socket) : connect(Number(port), host);
  connection.setTimeout(ANSWER_MS, () => connection.destroy(new Error('no answer')));
  try {
    await once(connection, 'connect');
    connection.write(`${command}\n`);
    return await text(connection);
  } catch (error) {
    throw new Error(`HAProxy at ${socket} cannot be told anything: ${String(error)}`, { cause: error });
  } finally {
    connection.destroy();
  }
}
