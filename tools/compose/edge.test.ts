import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from '@jest/globals';
import { freePorts } from '../infrastructure/ports.ts';

const EDGE = fileURLToPath(new URL('./edge.ts', import.meta.url));
const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

async function startReplica(name: string) {
  const server = createServer((_req, res) => res.end(name));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => new Promise((resolve) => server.close(resolve));
  opened.push(stop);
  return { address: `127.0.0.1:${String((server.address() as AddressInfo).port)}`, stop };
}

/** Each call is a connection of its own. */
const ask = (url: string) => fetch(url, { headers: { connection: 'close' } }).then((answer) => answer.text());

it('with addresses: forwards connections to the replicas in turn, and passes over one that does not listen', async () => {
  const [first, second] = [await startReplica('first'), await startReplica('second')];
  const { edge: port } = await freePorts(['edge']);
  const child = spawn(process.execPath, [EDGE, `${String(port)}=${first.address},${second.address}`], {
    env: { HOST: '127.0.0.1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(child, 'close');
  opened.push(() => {
    child.kill('SIGKILL');
    return ended;
  });
  const url = `http://127.0.0.1:${String(port)}/`;
  while (child.exitCode === null && (await ask(url).catch(() => '')) === '') await wait(20);
  const answers = [await ask(url), await ask(url), await ask(url), await ask(url)];
  expect(answers.toSorted()).toEqual(['first', 'first', 'second', 'second']);
  await second.stop();
  expect([await ask(url), await ask(url)]).toEqual(['first', 'first']);
});
