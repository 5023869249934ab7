import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { obtainBundle } from '../src/bundle/bundle.ts';
import { startTestPages, type TestPages } from './pages.ts';
import { SAMPLE_ID, sampleAnswer } from './sample-answers.ts';

/**
 * `npm run pictures`: a picture of every page of the console, in both widths, schemes and languages, with an index to leaf
 * through, in `artifacts/pictures`. `npm run pictures -- --before` keeps them as what the next run is compared with: then
 * the index begins with the pages that look different, each beside what it was. It needs the servers of the integration
 * tests.
 */
const FOLDER = fileURLToPath(new URL('../../../artifacts/pictures/', import.meta.url));
const WIDTHS = { phone: { width: 390, height: 844 }, desk: { width: 1_440, height: 900 } } as const;
const SCHEMES = ['light', 'dark'] as const;
const LANGUAGES = ['en', 'ru'] as const;

type Shown = { readonly name: string; readonly path: string; readonly act?: (page: Page) => Promise<void> };
const click = (selector: string) => (page: Page) => page.locator(selector).first().click();
const PAGES: readonly Shown[] = [
  { name: 'overview', path: '/overview?from=2026-11-21T10:00:00.000Z&to=2026-11-21T12:00:00.000Z' },
  ...['payments', 'deliveries', 'held-back', 'exceptions', 'reconciliations', 'proposals', 'dead-letters', 'withdrawals', 'fundings', 'partners', 'routes', 'operators', 'account'].map((name) => ({ name, path: `/${name}` })), // prettier-ignore
  { name: 'payment', path: `/payments/${SAMPLE_ID}` },
  { name: 'payment-refund', path: `/payments/${SAMPLE_ID}`, act: click('section .mantine-Button-root') },
  { name: 'delivery', path: `/deliveries/${SAMPLE_ID}` },
  { name: 'withdrawal', path: `/withdrawals/${SAMPLE_ID}` },
  { name: 'saved-cards', path: '/saved-cards?partnerID=tea-shop' },
  { name: 'saved-card', path: `/saved-cards/${SAMPLE_ID}` },
  { name: 'saved-card-revoke', path: `/saved-cards/${SAMPLE_ID}`, act: click('main .mantine-Button-root') },
  { name: 'reconciliation', path: '/reconciliations/sandbox-bank/2026-11-20' },
  { name: 'partner', path: '/partners/tea-shop' },
  { name: 'not-found', path: '/nowhere' },
];

type Variant = {
  readonly screen: keyof typeof WIDTHS;
  readonly scheme: (typeof SCHEMES)[number];
  readonly language: (typeof LANGUAGES)[number];
};
const VARIANTS: readonly Variant[] = Object.keys(WIDTHS).flatMap((screen) =>
  SCHEMES.flatMap((scheme) =>
    LANGUAGES.map((language) => ({
      screen: screen === 'phone' ? ('phone' as const) : ('desk' as const),
      scheme,
      language,
    })),
  ),
);

async function take({ open, origin }: TestPages, { screen, scheme, language }: Variant, folder: string) {
  const page = await open('/docs/try.json', 'admin');
  await page.context().addCookies([{ name: 'language', value: language, url: origin }]);
  await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
  await page.setViewportSize(WIDTHS[screen]);
  // Ages count from now, which would be another picture each time.
  await page.clock.setFixedTime('2026-11-21T12:00:00.000Z');
  const names: string[] = [];
  for (const { name, path, act } of PAGES) {
    await page.goto(`${origin}${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    await act?.(page);
    const file = `${name}-${screen}-${scheme}-${language}.png`;
    await page.screenshot({ path: join(folder, file), fullPage: act === undefined, animations: 'disabled' });
    names.push(file);
  }
  await page.context().close();
  return names;
}

const bytesOf = (folder: string, name: string): Promise<Buffer | undefined> =>
  readFile(join(FOLDER, folder, name)).catch(() => undefined);

async function indexOf(names: readonly string[]): Promise<{ html: string; changed: string[] }> {
  const changed: string[] = [];
  for (const name of names) {
    const [before, now] = [await bytesOf('before', name), await bytesOf('now', name)];
    if (before !== undefined && now?.equals(before) === false) changed.push(name);
  }
  const figure = (folder: string, name: string) =>
    `<figure><a href="${folder}/${name}"><img loading="lazy" src="${folder}/${name}" alt=""></a><figcaption>${folder}: ${name}</figcaption></figure>`;
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pictures of the console</title>
<style>body{font:14px system-ui;margin:1rem}section{display:flex;flex-wrap:wrap;gap:1rem}figure{margin:0}img{height:420px;max-width:640px;object-fit:contain;object-position:top;border:1px solid #ccc}</style>
<h1>Pictures of the console</h1>
<h2>Different from before: ${String(changed.length)}</h2><section>${changed.map((name) => figure('before', name) + figure('now', name)).join('')}</section>
<h2>All: ${String(names.length)}</h2><section>${names.map((name) => figure('now', name)).join('')}</section></html>`;
  return { html, changed };
}

const isBefore = process.argv.includes('--before');
const folder = join(FOLDER, isBefore ? 'before' : 'now');
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const pages = await startTestPages(await obtainBundle('console'));
pages.t.answer = sampleAnswer;
const names: string[] = [];
for (const variant of VARIANTS) names.push(...(await take(pages, variant, folder)));
await pages.close();
const { html, changed } = await indexOf(names);
if (!isBefore) await writeFile(join(FOLDER, 'index.html'), html);
process.stdout.write(
  `${String(names.length)} pictures, ${String(changed.length)} different from before: ${FOLDER}index.html\n${changed.join('\n')}`,
);
