import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { canInstallPackages, installPackages } from '../infrastructure/apt.ts';
import { LOCAL } from '../infrastructure/folders.ts';
import { isExecutable, programOnPath } from '../infrastructure/programs.ts';

/**
 * The Chromium of this machine, if there is one: CHROMIUM_PATH, else the first usual name on the path. The headless
 * shell is preferred: the same engine for a third of the resources.
 */
export function findChromium(): string | undefined {
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return [process.env['CHROMIUM_PATH'], ...names.map(programOnPath), mac].find(
    (path) => path !== undefined && isExecutable(path),
  );
}

/**
 * The path of a Chromium for browser tests; installs Debian's if permitted.
 * @throws Error with a single line that says what to do
 */
export async function obtainChromium(log: (line: string) => void): Promise<string> {
  const found = findChromium();
  if (found !== undefined) return found;
  if (canInstallPackages()) {
    log('installing chromium for the browser tests');
    mkdirSync(LOCAL, { recursive: true });
    // The fonts: without a Cyrillic one the Russian pages show boxes.
    await installPackages(['chromium-headless-shell', 'fonts-liberation'], join(LOCAL, 'apt.log'));
    const installed = findChromium();
    if (installed !== undefined) return installed;
  }
  throw new Error('The browser tests need Chromium: install it, or set CHROMIUM_PATH to the program of a Chrome');
}
