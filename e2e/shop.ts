import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '../tools/infrastructure/ports.ts';
import { startExample } from '../tools/sdk/readme-example.ts';
import { prepareShop } from '../tools/shop/prepare.ts';
import { clientOf } from '../tools/system/partner.ts';
import { until, type World } from './world.ts';

export const ADMIN_PASSWORD = 'a-password-of-the-test';
/** What the README says to type between copying the folder and having a shop. */
const LINES = ['npm install', 'cp .env.example .env', '"${EDITOR:-vi}" .env', 'npm run setup', 'npm start'];

/**
 * The route between the shop and the service. Of commands it loses the answer (`none`), or all of them (`cut`), if told to.
 */
async function openProxy(target: string) {
  const state = { answers: 'all' as 'all' | 'none' | 'cut', held: [] as IncomingMessage[] };
  const server = createServer((req, res) => {
    const { method = 'GET', url = '/', headers } = req;
    if (state.answers === 'cut' && method === 'POST') return void res.destroy();
    const passed = request(new URL(url, target), { method, headers: { ...headers, host: new URL(target).host } }, (answer) => {
      if (state.answers === 'none' && method === 'POST') {
        state.held.push(answer.resume()); // The service has done it, and the shop does not hear of it.
        return;
      }
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(res);
    });
    passed.on('error', () => res.destroy());
    req.pipe(passed);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    state,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * The example shop as a process of its own, in a folder with nothing of this repository, as the partner "other": set up and
 * started by the README's commands. `npm install` is played, because no registry is needed to test a shop.
 */
export async function openShop({ system }: World) {
  const folder = await mkdtemp(join(tmpdir(), 'example-shop-'));
  await prepareShop(folder, ['@types/express', '@types/node']);
  const proxy = await openProxy(system.addresses.baseUrl);
  const { other } = system.state();
  const { shop: port } = await freePorts(['shop']);
  const url = `http://127.0.0.1:${String(port)}`;
  const [, commands = ''] = /^```sh\n(.*?)^```$/ms.exec(await readFile(join(folder, 'README.md'), 'utf8')) ?? [];
  if (commands.trimEnd() !== LINES.join('\n')) throw new Error('the README has other commands: type them here, too');
  const type = (command: string) => promisify(execFile)('sh', ['-c', command], { cwd: folder });

  await writeFile(join(folder, 'partner.pem'), other.privateKeyPem);
  await type('cp .env.example .env');
  const own: Record<string, string> = {
    API_URL: proxy.url,
    PARTNER_ID: other.partnerID,
    PUBLIC_KEY: other.publicKey,
    CARD_POINT_ID: other.paymentPoints.card,
    QR_POINT_ID: other.paymentPoints.qr,
    SHOP_URL: url,
    PORT: String(port),
    ADMIN_PASSWORD,
  };
  const env = await readFile(join(folder, '.env'), 'utf8');
  await writeFile(
    join(folder, '.env'),
    env.replace(/^(\w+)=(.*)$/gm, (_, name: string, value: string) => `${name}=${own[name] ?? value}`),
  );
  await type('npm run setup');
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  const [, ...args] = scripts.start.split(' ');
  const start = async () => {
    const example = startExample(process.execPath, args, folder, {});
    await example.printed(/the shop is open/);
    return example;
  };
  let running = await start();
  const client = clientOf(system.addresses.baseUrl, other);
  return {
    url,
    folder,
    proxy,
    client,
    secret: JSON.parse(await readFile(join(folder, 'callback-secret.json'), 'utf8')) as {
      keyId: string;
      secret: string;
    },
    async kill(): Promise<void> {
      await running.stop('SIGKILL');
    },
    async start(): Promise<void> {
      running = await start();
    },
    /** Waits until the service has answered the shop, and the proxy kept it. */
    held: (count: number) => until('an answer that is kept back', () => (proxy.state.held.length >= count ? true : undefined)),
    async close(): Promise<void> {
      await running.stop();
      client.close();
      proxy.close();
      await rm(folder, { recursive: true });
    },
  };
}
export type RunningShop = Awaited<ReturnType<typeof openShop>>;
