import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Option, type Command } from 'commander';
import type { CallbackKey } from '@pay/sdk/callback-envelope.ts';
import { verifyCallback } from '@pay/sdk/callbacks.ts';
import { EVENT_TYPES } from '@pay/sdk/types.ts';
import { contextOf } from '../context.ts';
import { CliFault, EXIT, usage } from '../fault.ts';
import type { Output } from '../output.ts';
import type { Profile } from '../profile.ts';
import { borrowCallbackUrl } from './borrowed-callback-url.ts';
import { addReceiverCommands } from './callbacks-check.ts';

type Options = {
  port: string;
  host: string;
  forwardTo?: string;
  once?: boolean;
  expect?: string;
  timeout?: string;
  register: boolean;
  reply?: string;
  key?: string[];
};

/** The parts of a callback that are shown. */
type Shown = {
  readonly verified: boolean;
  readonly reason?: string;
  readonly eventId: string;
  readonly type: string;
  readonly answered: number;
  readonly body: string;
};

const BODY_BYTES_MAX = 256 * 1024;
const FORWARD_TIMEOUT_MS = 10_000;

/** `pay callbacks`: a receiver on this machine, and checks of your own receiver. */
export function addCallbackCommands(program: Command): void {
  const callbacks = program.command('callbacks').description('receive callbacks, and check who receives them');
  addReceiverCommands(callbacks);
  callbacks
    .command('listen')
    .description('receive, verify and print callbacks until Ctrl-C')
    .option('--port <port>', 'default: any free one', '0')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option(
      '--no-register',
      "do not change the partner's callbackUrl (otherwise it points here until the command ends, even if it is killed)",
    )
    .option('--forward-to <url>', 'forward each verified callback byte for byte, and return its answer')
    .option('--reply <statuses>', 'simulate a failing receiver: 500,500,200 in turn; the last one repeats')
    .option('--key <keyId:secret...>', 'callback keys; default: those of the profile')
    .option('--once', 'stop after the first verified callback that matches')
    .addOption(
      new Option('--expect <type>', 'with --once: wait for this event type, such as payment.completed').choices(
        EVENT_TYPES,
      ),
    )
    .option('--timeout <seconds>', 'with --once: give up after this (exit status 5)')
    .action(async (options: Options, command: Command) => {
      const { output, profile } = contextOf(command);
      await listen(profile(), options, output);
    });
}

async function listen(profile: Profile, options: Options, output: Output): Promise<void> {
  const keys = keysOf(profile, options.key ?? []);
  if (keys.length === 0) throw usage('no callback key in the profile: pass --key keyId:secret');
  const replies = repliesOf(options.reply);
  const timeoutMs = options.timeout === undefined ? undefined : secondsOf(options.timeout) * 1000;
  checkPort(options.port);
  const ended = new AbortController();
  let received: Shown | undefined;
  const server = createServer((req, res) => {
    receive(req, res, { keys, forwardTo: options.forwardTo, reply: replies })
      .then((shown) => {
        show(output, shown, options.once === true);
        const isExpected = options.expect === undefined || shown.type === options.expect;
        if (options.once === true && shown.verified && isExpected) {
          received = shown;
          ended.abort();
        }
      })
      .catch(() => {
        res.destroy();
      });
  });
  const url = await start(server, options);
  try {
    const restore = options.register ? await borrowCallbackUrl(profile, `${url}/`, output) : () => Promise.resolve();
    output.note(`listening on ${url}${options.once === true ? '' : '; press Ctrl-C to stop'}`);
    try {
      await waitForEnd(ended, timeoutMs);
    } finally {
      await restore();
    }
  } finally {
    // Also if the address was refused: an open server would keep the process running.
    server.close();
    server.closeAllConnections();
  }
  if (options.once !== true) return;
  if (received === undefined) {
    throw new CliFault(EXIT.timeout, `no ${options.expect ?? 'callback'} within ${options.timeout ?? '?'} s`);
  }
  output.result(received.body, received);
}

/** Resolves on Ctrl-C, on the expected callback, or after the timeout. */
async function waitForEnd(ended: AbortController, timeoutMs: number | undefined): Promise<void> {
  const end = () => {
    ended.abort();
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  const timer = timeoutMs === undefined ? undefined : setTimeout(end, timeoutMs);
  if (!ended.signal.aborted) await once(ended.signal, 'abort');
  clearTimeout(timer);
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (!Number.isFinite(seconds) || seconds <= 0) throw usage('--timeout must be a number of seconds');
  return seconds;
}

function checkPort(text: string): void {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw usage('--port must be a number from 0 to 65535');
}

function keysOf(profile: Profile, given: readonly string[]): readonly CallbackKey[] {
  if (given.length === 0) return profile.callbackKeys;
  return given.map((text) => {
    const colon = text.indexOf(':');
    if (colon < 1) throw usage('--key must be keyId:secret');
    return { keyId: text.slice(0, colon), secret: text.slice(colon + 1) };
  });
}

/** The statuses to respond with, in turn. */
function repliesOf(text: string | undefined): () => number {
  const statuses = (text ?? '200').split(',').map(Number);
  if (statuses.some((status) => !Number.isInteger(status) || status < 200 || status > 599)) {
    throw usage('--reply must be a list of HTTP statuses, such as 500,500,200');
  }
  let next = 0;
  return () => {
    const status = statuses[Math.min(next, statuses.length - 1)] ?? 200;
    next += 1;
    return status;
  };
}

async function start(server: Server, { port, host }: Options): Promise<string> {
  server.listen(Number(port), host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the listener has no TCP address');
  return `http://${host.includes(':') ? `[${host}]` : host}:${String(address.port)}`;
}

async function receive(
  req: IncomingMessage,
  res: ServerResponse,
  options: { keys: readonly CallbackKey[]; forwardTo: string | undefined; reply: () => number },
): Promise<Shown> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) {
    if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    if (Buffer.concat(chunks).length > BODY_BYTES_MAX) throw new Error('too large');
  }
  const rawBody = Buffer.concat(chunks);
  const verified = verifyCallback(rawBody, req.headers, options.keys, new Date());
  const answered = verified.ok ? await answerOf(req, rawBody, options) : 401;
  res.writeHead(answered).end();
  return {
    verified: verified.ok,
    ...(verified.ok ? {} : { reason: `${verified.reason}: ${verified.message}` }),
    eventId: String(req.headers['x-service-event-id'] ?? ''),
    type: String(req.headers['x-service-event-type'] ?? ''),
    answered,
    body: rawBody.toString('utf8'),
  };
}

async function answerOf(
  req: IncomingMessage,
  rawBody: Buffer,
  { forwardTo, reply }: { forwardTo: string | undefined; reply: () => number },
): Promise<number> {
  if (forwardTo === undefined) return reply();
  const headers = Object.fromEntries(
    Object.entries(req.headers).filter(
      (entry): entry is [string, string] =>
        typeof entry[1] === 'string' && (entry[0].startsWith('x-service-') || entry[0] === 'content-type'),
    ),
  );
  try {
    const body = new Uint8Array(rawBody);
    const signal = AbortSignal.timeout(FORWARD_TIMEOUT_MS);
    return (await fetch(forwardTo, { method: 'POST', headers, body, signal, redirect: 'manual' })).status;
  } catch {
    return 502; // The service retries it, as if the receiver itself were down.
  }
}

function show(output: Output, shown: Shown, isOnce: boolean): void {
  const { verified, reason, type, answered, body } = shown;
  const line = `${verified ? 'verified' : `NOT VERIFIED (${reason ?? ''})`}  ${type}  answered ${String(answered)}`;
  if (isOnce) output.note(line);
  else if (output.isJson) console.log(JSON.stringify(shown));
  else console.log(`${line}\n${body}\n`);
}
