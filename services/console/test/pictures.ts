import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from './pages.ts';
import { VARIANTS } from './contact-sheets.ts';
import { startSamplePages } from './sample-pages.ts';
import { REFERENCES, walk, type Walked } from './walk.ts';

/**
 * `npm run pictures`: a picture of every page and state of the console, in both widths, schemes and languages, with an index
 * to leaf through, in `artifacts/pictures`. The index begins with what looks different from the contact sheets of the
 * repository, which the tests compare. `npm run pictures -- --accept` makes the sheets anew.
 */
const FOLDER = fileURLToPath(new URL('../../../artifacts/pictures/', import.meta.url));
const isAccepting = process.argv.includes('--accept');

await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER, { recursive: true });
const [samples, browser] = [await startSamplePages(), await launchBrowser()];
const walked: Walked[] = [];
for (const language of ['en', 'ru'] as const)
  walked.push(
    ...(await walk({ browser, samples, language }, async (page, name, { screen, scheme }) => {
      await page.screenshot({ path: join(FOLDER, `${name}-${language}-${screen}-${scheme}.png`) });
    })),
  );
await browser.close();
await samples.close();

const different = walked.filter(({ looksDifferent }) => looksDifferent);
if (isAccepting) {
  await rm(REFERENCES, { recursive: true, force: true });
  await mkdir(REFERENCES, { recursive: true });
  for (const { name, sheet } of walked) await writeFile(`${REFERENCES}${name}`, sheet, 'base64');
}

const image = (source: string) => `<a href="${source}"><img loading="lazy" src="${source}" alt=""></a>`;
const picturesOf = (sheet: string) =>
  VARIANTS.map(({ screen, scheme }) => image(`${sheet.replace('.webp', '')}-${screen}-${scheme}.png`)).join('');
const section = ({ name }: Walked, more = '') =>
  `<h3>${name.replace('.webp', '')}</h3>${more}<p>${picturesOf(name)}</p>`;
const before = ({ name }: Walked) => `<p>${image(`../../services/console/test/contact-sheets/${name}`)} before</p>`;
await writeFile(
  join(FOLDER, 'index.html'),
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pictures of the console</title>
<style>body{font:14px system-ui;margin:1rem}p{display:flex;flex-wrap:wrap;gap:1rem}img{height:420px;max-width:640px;object-fit:contain;object-position:top;border:1px solid #ccc}</style>
<h1>Pictures of the console</h1>
<h2>Different: ${String(different.length)}</h2>${different.map((one) => section(one, before(one))).join('')}
<h2>All: ${String(walked.length)}</h2>${walked.map((one) => section(one)).join('')}</html>`,
);
const names = different.map(({ name }) => `${name}\n`).join('');
process.stdout.write(
  `${String(walked.length)} pages, ${String(different.length)} look different${isAccepting ? ', accepted' : ''}: ${FOLDER}index.html\n${names}`,
);
