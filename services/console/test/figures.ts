import type { Page } from 'playwright-core';
import type { Role } from '@pay/shared/operators/roles.ts';
import { obtainTestServers } from '../../../tools/testing/servers.ts';
import { obtainBundle } from '../src/bundle/bundle.ts';
import { startTestPages, type TestPages } from './pages.ts';
import { sampleAnswer } from './sample-answers.ts';

/**
 * How fast the console's first pages are: bytes over the wire, first paint, and when the page can be used, here and on a
 * slow phone connection with a processor four times slower. `npm run figures` prints a table.
 */
type Conditions = {
  readonly name: string;
  readonly network?: { latency: number; kbps: number };
  readonly slower: number;
};

/** Slow 4G as Lighthouse has it. */
const CONDITIONS: readonly Conditions[] = [
  { name: 'here', slower: 1 },
  { name: 'slow 4G, processor 4 times slower', network: { latency: 150, kbps: 1_638 }, slower: 4 },
];
type Measured = {
  readonly path: string;
  readonly role: Role | 'stranger';
  readonly usable: (page: Page) => Promise<void>;
};
const PAGES: readonly Measured[] = [
  {
    path: '/sign-in',
    role: 'stranger',
    usable: (page) => page.getByRole('button', { name: 'Sign in', exact: true }).waitFor(),
  },
  {
    path: '/payments',
    role: 'operator',
    usable: (page) => page.getByText('order-1042').waitFor(),
  },
  {
    path: '/withdrawals',
    role: 'finance',
    usable: (page) => page.getByText('ben-1').waitFor(),
  },
];
/** The fastest counts: the others also measure what else the machine did. */
const RUNS = 7;

async function measure({ open, origin }: TestPages, { path, role, usable }: Measured, { network, slower }: Conditions) {
  const page = await open('/docs/try.json', role);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  if (network !== undefined)
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: network.latency,
      downloadThroughput: (network.kbps * 1_000) / 8,
      uploadThroughput: (750 * 1_000) / 8,
    });
  await session.send('Emulation.setCPUThrottlingRate', { rate: slower });
  let bytes = 0;
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  const start = performance.now();
  await page.goto(`${origin}${path}`, { waitUntil: 'commit' });
  await usable(page);
  const usableMs = performance.now() - start;
  const paintMs = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0);
  await page.context().close();
  return { bytes, paintMs, usableMs };
}

const servers = await obtainTestServers();
process.env['TEST_DATABASE_URL'] = servers.databaseUrl;
const pages = await startTestPages(await obtainBundle('console'));
pages.t.answer = sampleAnswer;
const say = (line: string) => process.stdout.write(`${line}\n`);
say('| page | conditions | KB | first paint | usable |\n| --- | --- | --- | --- | --- |');
for (const measured of PAGES)
  for (const conditions of CONDITIONS) {
    const runs: Awaited<ReturnType<typeof measure>>[] = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await measure(pages, measured, conditions));
    const seconds = (pick: (run: (typeof runs)[number]) => number) => `${(Math.min(...runs.map(pick)) / 1_000).toFixed(1)} s`;
    const kilobytes = Math.round(Math.max(...runs.map(({ bytes }) => bytes)) / 1_000);
    say(
      `| \`${measured.path}\` | ${conditions.name} | ${String(kilobytes)} | ${seconds(({ paintMs }) => paintMs)} | ${seconds(({ usableMs }) => usableMs)} |`,
    );
  }
await pages.close();
await servers.release();
