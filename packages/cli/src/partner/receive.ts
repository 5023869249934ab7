import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Command } from 'commander';
import type { CallbackKey } from '@pay/sdk/callback-envelope.ts';
import { verifyCallback } from '@pay/sdk/callbacks.ts';
import { contextOf } from '../context.ts';
import { usage } from '../fault.ts';
import type { Output } from '../output.ts';
import type { Profile } from '../profile.ts';
import { borrowCallbackUrl } from './borrowed-callback-url.ts';
import { forward } from './forward.ts';
import { addShownOptions, keysOf, listenUntil, show, type Shown, type ShownOptions } from './shown-callbacks.ts';

type Options = ShownOptions & { port: string; host: string; register?: boolean; reply?: string };

const BODY_BYTES_MAX = 256 * 1024;

/** `pay callbacks receive`: a receiver of callbacks on this machine. */
export function addReceive(callbacks: Command): void {
  const receive = callbacks
    .command('receive')
    .description('be the receiver: open a port, and verify, print and answer what is sent there until Ctrl-C')
    .option('--port <port>', 'default: any free one', '0')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--register', "point the partner's callbackUrl here until the command ends, even if it is killed")
    .option('--reply <statuses>', 'simulate a failing receiver: 500,500,200 in turn; the last one repeats');
  addShownOptions(receive).action(async (options: Options, command: Command) => {
    const { output, profile } = contextOf(command);
    await receiveCallbacks(profile(), options, output);
  });
}

async function receiveCallbacks(profile: Profile, options: Options, output: Output): Promise<void> {
  const keys = keysOf(profile, options.key);
  if (keys.length === 0) throw usage('no callback key in the profile: pass --key keyId:secret');
  const reply = repliesOf(options.reply);
  if (!/^\d{1,5}$/.test(options.port) || Number(options.port) > 65_535) throw usage('--port must be a number from 0 to 65535');
  await listenUntil(options, output, async (arrived, ended) => {
    const server = createServer((req, res) => {
      receive(req, res, { keys, forwardTo: options.forwardTo, reply }).then(
        (shown) => {
          show(output, shown, options.once === true);
          if (shown.verified) arrived(shown);
        },
        () => {
          res.destroy();
        },
      );
    });
    const url = await start(server, options);
    try {
      const restore = options.register === true ? await borrowCallbackUrl(profile, `${url}/`, output) : () => Promise.resolve();
      output.note(`listening on ${url}${options.once === true ? '' : '; press Ctrl-C to stop'}`);
      if (!ended.aborted) await once(ended, 'abort');
      await restore();
    } finally {
      // Also if the address was refused: an open server would keep the process running.
      server.close();
      server.closeAllConnections();
    }
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
  { headers }: IncomingMessage,
  rawBody: Buffer,
  { forwardTo, reply }: { forwardTo: string | undefined; reply: () => number },
): Promise<number> {
  if (forwardTo === undefined) return reply();
  const all = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  // The service retries a 502, as if the receiver itself were down.
  return (await forward(forwardTo, Object.fromEntries(all), rawBody)) ?? 502;
}
