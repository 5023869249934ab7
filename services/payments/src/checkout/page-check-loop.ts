import { setTimeout as wait } from 'node:timers/promises';
import { Gauge } from 'prom-client';
import type { Log } from '@pay/shared/logging/logger.ts';
import type { Loop } from '@pay/shared/time/loop.ts';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import { paths } from './links.ts';
import { differences, PAGE_FILES, type FetchedPage } from './page-check.ts';

type Options = {
  /** The checkout's origin, as a buyer's browser reaches it. */
  readonly url: string;
  /** The link of a payment whose card page can be checked; undefined while nobody is paying. */
  readonly findLink: () => Promise<string | undefined>;
  readonly log: Log;
};

const RESULTS = ['same', 'different', 'unreachable'] as const;
type Result = (typeof RESULTS)[number];

/** Alert on `different`, and on `unreachable` if it lasts longer than a deployment. */
const integrity = new Gauge({
  name: 'form_page_integrity',
  help: 'Whether the checkout page at its public address matches this build: 1 for one of same, different and unreachable.',
  labelNames: ['result'],
  registers: [registry],
});

const EVERY_MS = 60_000;
const TIMEOUT_MS = 5_000;
/** At start the loops run before the listener is up. */
const TRIES = 20;
const RETRY_MS = 500;
/** A page takes about ten kilobytes, its files less than fifty. */
const BYTES_MAX = 1024 * 1024;

/**
 * Once a minute, fetches the checkout from outside, as a buyer's browser does, to detect what a proxy, a CDN or an intruder adds to it
 * in transit. Checks a real card page while somebody has one open, otherwise the not-found page: both have the same layout.
 */
export function pageCheckLoop(options: Options): Loop {
  return {
    name: 'page-check',
    intervalMs: EVERY_MS,
    round: async (stopping) => {
      const result = await look(options, stopping);
      if (!stopping.aborted) for (const one of RESULTS) integrity.set({ result: one }, one === result ? 1 : 0);
      return 'done';
    },
  };
}

async function look({ url, findLink, log }: Options, stopping: AbortSignal): Promise<Result> {
  const link = (await findLink()) ?? 'page-check-0000000';
  const page = await fetchPage(`${url}${paths.payment(link)}`, url, stopping);
  if (page === undefined) {
    if (!stopping.aborted) log.warn('the checkout could not be fetched at its public address', { url });
    return 'unreachable';
  }
  const found = differences(page);
  // One line each, so that each can be searched for. There are few.
  for (const difference of found)
    log.error('the checkout that buyers receive differs from this build', {
      difference: withoutLink(difference, link),
    });
  return found.length === 0 ? 'same' : 'different';
}

const withoutLink = (text: string, link: string) => text.replaceAll(link, '…');

async function fetchPage(address: string, url: string, stopping: AbortSignal): Promise<FetchedPage | undefined> {
  for (let count = 0; count < TRIES && !stopping.aborted; count += 1) {
    const page = await get(address).catch(() => undefined);
    if (page !== undefined) {
      const files = await Promise.all(
        PAGE_FILES.map(async (path) => {
          const file = await get(`${url}${path}`).catch(() => undefined);
          return [path, file?.status === 200 ? file.bytes : undefined] as const;
        }),
      );
      return { headers: page.headers, html: page.bytes.toString('utf8'), files: new Map(files) };
    }
    await wait(RETRY_MS, undefined, { signal: stopping }).catch(() => undefined);
  }
  return undefined;
}

async function get(address: string) {
  const answer = await fetch(address, {
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: { accept: 'text/html,*/*', 'accept-language': 'ru' },
  });
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (bytes.length > BYTES_MAX) throw new Error('the response is too large for a checkout page');
  return { status: answer.status, headers: answer.headers, bytes };
}
