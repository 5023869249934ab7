import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { openDarkroom, showAs, shrunk, VARIANTS, type Compared, type Variant } from './contact-sheets.ts';
import { openSample, settle, show, type Language, type SamplePages } from './sample-pages.ts';
import { SHOWN } from './shown.ts';

/** The contact sheets that the pages are compared with, one for each page, state and language. */
export const REFERENCES = fileURLToPath(new URL('contact-sheets/', import.meta.url));

/** How many blocks may differ: the end of a line, or the corner of a border. */
const DIFFERENT_MAX = 3;

export type Walked = Compared & { readonly name: string; readonly looksDifferent: boolean };

/** Shows every page in every state in this language, and each in every variant: `look` sees them all. */
export async function walk(
  {
    browser,
    samples,
    language,
  }: { readonly browser: Browser; readonly samples: SamplePages; readonly language: Language },
  look: (page: Page, name: string, variant: Variant) => Promise<void>,
): Promise<Walked[]> {
  const [operators, strangers] = [
    await openSample(browser, samples, language),
    await openSample(browser, samples, language, { isStranger: true }),
  ];
  const darkroom = await openDarkroom(browser);
  const walked: Walked[] = [];
  for (const { name, path, act, isForStrangers = false } of SHOWN) {
    const page = isForStrangers ? strangers : operators;
    await (isForStrangers ? page.goto(`${samples.origin}${path}`) : show(page, path));
    await act?.(page);
    await settle(page);
    const shots: string[] = [];
    for (const variant of VARIANTS) {
      await showAs(page, variant);
      shots.push(await shrunk(page, variant));
      await look(page, name, variant);
    }
    const file = `${name}-${language}.webp`;
    const reference = await readFile(`${REFERENCES}${file}`, 'base64').catch(() => undefined);
    const compared = await darkroom.compare(shots, reference);
    const { differentBlocks } = compared;
    walked.push({ ...compared, name: file, looksDifferent: differentBlocks < 0 || differentBlocks > DIFFERENT_MAX });
  }
  for (const page of [operators, strangers]) await page.context().close();
  return walked;
}
