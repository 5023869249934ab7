import { readFileSync } from 'node:fs';

const PACKAGE = import.meta.resolve('@fontsource/pt-sans/package.json');

/** One file of a font that is a package: the same letters on every machine, so that lines break at the same words. */
const face = (subset: 'latin' | 'cyrillic', weight: 400 | 700, range: string) => {
  const file = new URL(`files/pt-sans-${subset}-${String(weight)}-normal.woff2`, PACKAGE);
  const data = readFileSync(file).toString('base64');
  return `@font-face { font-family: Sample; font-weight: ${String(weight)}; src: url(data:font/woff2;base64,${data}); unicode-range: ${range}; }`;
};

const LATIN = 'U+0000-03FF, U+2000-2FFF';
const CYRILLIC = 'U+0400-04FF, U+2116';

/** Styles that write everything in it. */
export const SAMPLE_FONT = `${([400, 700] as const).flatMap((weight) => [face('latin', weight, LATIN), face('cyrillic', weight, CYRILLIC)]).join('\n')}
* { font-family: Sample, sans-serif !important; text-rendering: geometricPrecision !important; }`;
