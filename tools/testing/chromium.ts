import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { canInstallPackages, installPackages } from '../infrastructure/apt.ts';
import { LOCAL } from '../infrastructure/folders.ts';
import { isExecutable, programOnPath } from '../infrastructure/programs.ts';

const SHELL = 'chromium-headless-shell';
const FULL = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const FULL_ON_MAC = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

const named = () => process.env['CHROMIUM_PATH'];
const firstExecutable = (paths: readonly (string | undefined)[]) => paths.find((path) => path !== undefined && isExecutable(path));

/**
 * The Chromium of this machine, if there is one: CHROMIUM_PATH, else the first usual name on the path. The headless
 * shell is preferred: the same engine for half of the processor time.
 */
export function findChromium(): string | undefined {
  return firstExecutable([named(), programOnPath(SHELL), ...FULL.map(programOnPath), FULL_ON_MAC]);
}

/**
 * A Chromium that keeps pages that were left, to restore them by "back": the headless shell does not (decisions/tests).
 */
export function findFullChromium(): string | undefined {
  return firstExecutable([...FULL.map(programOnPath), FULL_ON_MAC, named()]);
}

/**
 * The path of a Chromium for browser tests. If permitted, installs Debian's headless shell, and a full Chromium for the
 * tests that need one; if that fails, what is there has to do.
 * @throws Error with a single line that says what to do
 */
export async function obtainChromium(log: (line: string) => void): Promise<string> {
  const missing = [...(programOnPath(SHELL) === undefined ? [SHELL] : []), ...(findFullChromium() === undefined ? ['chromium'] : [])];
  if (named() === undefined && missing.length > 0 && canInstallPackages()) {
    log(`installing ${missing.join(' and ')} for the browser tests`);
    mkdirSync(LOCAL, { recursive: true });
    // The fonts: without a Cyrillic one the Russian pages show boxes.
    await installPackages([...missing, 'fonts-liberation'], join(LOCAL, 'apt.log')).catch((error: unknown) => {
      log(String(error));
    });
  }
  const found = findChromium();
  if (found !== undefined) return found;
  throw new Error('The browser tests need Chromium: install it, or set CHROMIUM_PATH to the program of a Chrome');
}
