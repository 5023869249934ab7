import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../../services/console/test/pages.ts';
import type { Album } from './album.ts';
import { BUYER } from './buyer-album.ts';
import { CONSOLE, PORTAL } from './console-albums.ts';
import { VARIANTS } from './contact-sheets.ts';
import { DOCS } from './docs-album.ts';
import { REFERENCES, walk, type Walked } from './walk.ts';

/**
 * `npm run pictures`: a picture of every page and state, in both widths and schemes and each language, with an index to leaf
 * through, in `artifacts/pictures`. The index begins with what looks different from the contact sheets of the repository,
 * which the tests compare. `npm run pictures -- --accept` makes the sheets anew; with the name of an album, only that one.
 */
const FOLDER = fileURLToPath(new URL('../../artifacts/pictures/', import.meta.url));
const isAccepting = process.argv.includes('--accept');
const ALBUMS: readonly Album[] = [BUYER, CONSOLE, PORTAL, DOCS];
const wanted = ALBUMS.filter(({ name }) => process.argv.includes(name));
const albums = wanted.length === 0 ? ALBUMS : wanted;

type Picture = Walked & { readonly album: string };

await rm(FOLDER, { recursive: true, force: true });
const browser = await launchBrowser();
const pictures: Picture[] = [];
for (const album of albums) {
  await mkdir(join(FOLDER, album.name), { recursive: true });
  const opened = await album.open();
  for (const language of album.languages) {
    const all = { browser, album, opened, language, variants: VARIANTS };
    for (const walked of await walk(all, async (page, name, variant) => {
      const file = `${name}-${language}-${variant.screen}-${variant.scheme}.png`;
      await page.screenshot({ path: join(FOLDER, album.name, file) });
    }))
      pictures.push({ ...walked, album: album.name });
  }
  await opened.close();
}
await browser.close();

const different = pictures.filter(({ looksDifferent }) => looksDifferent);
if (isAccepting)
  for (const { name: album } of albums) {
    await rm(join(REFERENCES, album), { recursive: true, force: true });
    await mkdir(join(REFERENCES, album), { recursive: true });
    for (const one of pictures)
      if (one.album === album) await writeFile(join(REFERENCES, album, `${one.name}.webp`), one.sheet, 'base64');
  }

const image = (source: string) => `<a href="${source}"><img loading="lazy" src="${source}" alt=""></a>`;
const picturesOf = ({ album, name }: Picture) =>
  VARIANTS.map(({ screen, scheme }) => image(`${album}/${name}-${screen}-${scheme}.png`)).join('');
const section = (one: Picture, more = '') => `<h3>${one.album} ${one.name}</h3>${more}<p>${picturesOf(one)}</p>`;
const before = ({ album, name }: Picture) =>
  `<p>${image(`../../e2e/pictures/sheets/${album}/${name}.webp`)} before</p>`;
const links = albums.map(({ name }) => `<a href="#${name}">${name}</a>`).join(' ');
const all = albums.map(({ name }) => {
  const own = pictures.filter(({ album }) => album === name);
  return `<h2 id="${name}">${name}: ${String(own.length)}</h2>${own.map((one) => section(one)).join('')}`;
});
await writeFile(
  join(FOLDER, 'index.html'),
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Pictures</title>
<style>body{font:14px system-ui;margin:1rem}p{display:flex;flex-wrap:wrap;gap:1rem}img{height:420px;max-width:640px;object-fit:contain;object-position:top;border:1px solid #ccc}</style>
<h1>Pictures</h1><p>${links}</p>
<h2>Different: ${String(different.length)}</h2>${different.map((one) => section(one, before(one))).join('')}
${all.join('')}</html>`,
);
const names = different.map(({ album, name }) => `${album} ${name}\n`).join('');
process.stdout.write(
  `${String(pictures.length)} pages, ${String(different.length)} look different${isAccepting ? ', accepted' : ''}: ${FOLDER}index.html\n${names}`,
);
