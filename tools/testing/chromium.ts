import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { canInstallPackages, installPackages } from '../infrastructure/apt.ts';
import { LOCAL } from '../infrastructure/folders.ts';
import { isExecutable, programOnPath } from '../infrastructure/programs.ts';

/**
 * The Chromium of this machine, if there is one: CHROMIUM_PATH, else the first usual name on the path. The one without
 * windows comes first: the same engine for a third less of the machine.
 */
export function findChromium(): string | undefined {
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
  return [process.env['CHROMIUM_PATH'], ...names.map(programOnPath), mac].find(
    (path) => path !== undefined && isExecutable(path),
  );
}

/**
 * The path of a Chromium for browser tests; installs Debian's where we may.
 * @throws Error with one line that says what to do.
 */
export async function obtainChromium(log: (line: string) => void): Promise<string> {
  const found = findChromium();
  if (found !== undefined) return found;
  if (canInstallPackages()) {
    log('installing chromium for the browser tests');
    mkdirSync(LOCAL, { recursive: true });
    // The fonts: without one that has Cyrillic letters the Russian pages show boxes.
    await installPackages(['chromium-headless-shell', 'fonts-liberation'], join(LOCAL, 'apt.log'));
    const installed = findChromium();
    if (installed !== undefined) return installed;
  }
  throw new Error('The browser tests need Chromium: install it, or set CHROMIUM_PATH to the program of a Chrome');
}
