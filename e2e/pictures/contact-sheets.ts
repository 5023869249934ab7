import type { Browser, Page } from 'playwright-core';
import { settle, type Language } from './still-pages.ts';

/**
 * One small picture of a page in its widths and colour schemes. Two sheets are compared by the mean colours of their
 * blocks: what moved, is missing or has another colour shows, how a version of the browser smooths its letters does not.
 */
export const SIZES = { desk: { width: 1_440, height: 1_000 }, phone: { width: 390, height: 1_200 } } as const;
export const SCHEMES = ['light', 'dark'] as const;
export type Variant = { readonly screen: keyof typeof SIZES; readonly scheme: (typeof SCHEMES)[number] };
export const VARIANTS: readonly Variant[] = (['desk', 'phone'] as const).flatMap((screen) =>
  SCHEMES.map((scheme) => ({ screen, scheme })),
);

/** What is on a sheet. Both sheets of a page in two languages have each pair of width, scheme and language: English on a light desk and a dark phone. */
export function picturedIn(language: Language, languages: readonly Language[]): readonly Variant[] {
  if (languages.length === 1) return VARIANTS;
  return VARIANTS.filter(
    ({ screen, scheme }) => (language === 'en') === ((screen === 'desk') === (scheme === 'light')),
  );
}

/** Pixels of the page for one of the sheet. */
const SHRUNK = 6;

/** Shows the page in this width and scheme. */
export async function showAs(page: Page, { screen, scheme }: Variant): Promise<void> {
  if (page.viewportSize()?.width !== SIZES[screen].width) await page.setViewportSize(SIZES[screen]);
  await page.emulateMedia({ colorScheme: scheme });
  await settle(page, 'width');
}

/** Takes what is visible as a small PNG in base64. */
export async function openCamera(page: Page): Promise<(variant: Variant) => Promise<string>> {
  const session = await page.context().newCDPSession(page);
  return async ({ screen }) => {
    const clip = { x: 0, y: 0, ...SIZES[screen], scale: 1 / SHRUNK };
    const { data } = await session.send('Page.captureScreenshot', { format: 'png', clip });
    return data;
  };
}

export type Compared = {
  /** WebP in base64: what the repository has of a page. */
  readonly sheet: string;
  /** How many blocks look different from the reference; -1: there is none, or it has another size. */
  readonly differentBlocks: number;
};

/** Where sheets are put together and compared: a browser can read and write pictures. */
export type Darkroom = {
  readonly compare: (shots: readonly string[], reference: string | undefined) => Promise<Compared>;
  readonly close: () => Promise<void>;
};

export async function openDarkroom(browser: Browser): Promise<Darkroom> {
  const page = await browser.newPage();
  return {
    compare: (shots, reference) =>
      // Strings in base64: nothing in them ends a string of the script.
      page.evaluate<Compared>(`(${COMPARE})(${JSON.stringify([shots, reference ?? null])})`),
    close: () => page.close(),
  };
}

/** Side of a block in pixels of the sheet, and how far its mean colour may be off, of 255. */
const [BLOCK, TOLERANCE] = [3, 26];

const COMPARE = `async ([shots, reference]) => {
  const decode = async (base64, type) => createImageBitmap(await (await fetch('data:image/' + type + ';base64,' + base64)).blob());
  const images = await Promise.all(shots.map((shot) => decode(shot, 'png')));
  const canvas = new OffscreenCanvas(images.reduce((sum, { width }) => sum + width + ${String(BLOCK)}, 0), Math.max(...images.map(({ height }) => height)));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  let x = 0;
  for (const image of images) { context.drawImage(image, x, 0); x += image.width + ${String(BLOCK)}; }
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.6 });
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let sheet = '';
  for (const byte of bytes) sheet += String.fromCharCode(byte);
  sheet = btoa(sheet);
  if (reference === null) return { sheet, differentBlocks: -1 };
  const pixelsOf = (image) => {
    const other = new OffscreenCanvas(image.width, image.height).getContext('2d', { willReadFrequently: true });
    other.drawImage(image, 0, 0);
    return other.getImageData(0, 0, image.width, image.height);
  };
  // Both have been through the same compression.
  const [now, before] = [pixelsOf(await decode(sheet, 'webp')), pixelsOf(await decode(reference, 'webp'))];
  if (now.width !== before.width || now.height !== before.height) return { sheet, differentBlocks: -1 };
  let differentBlocks = 0;
  for (let top = 0; top + ${String(BLOCK)} <= now.height; top += ${String(BLOCK)})
    for (let left = 0; left + ${String(BLOCK)} <= now.width; left += ${String(BLOCK)}) {
      const sums = [0, 0, 0];
      for (let dy = 0; dy < ${String(BLOCK)}; dy += 1)
        for (let dx = 0; dx < ${String(BLOCK)}; dx += 1)
          for (let channel = 0; channel < 3; channel += 1) {
            const at = 4 * ((top + dy) * now.width + left + dx) + channel;
            sums[channel] += now.data[at] - before.data[at];
          }
      if (sums.some((sum) => Math.abs(sum) > ${String(TOLERANCE * BLOCK * BLOCK)})) differentBlocks += 1;
    }
  return { sheet, differentBlocks };
}`;
