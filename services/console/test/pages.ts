import { chromium, type Browser } from 'playwright-core';
import { freePorts } from '../../../tools/infrastructure/ports.ts';
import { findChromium } from '../../../tools/testing/chromium.ts';
import type { Bundle } from '../src/bundle/bundle.ts';
import { startTestConsole, type TestConsole, type TestOptions } from './app.ts';

/** The console with its pages, and a browser to open them in. */
export type TestPages = {
  readonly t: TestConsole;
  readonly browser: Browser;
  /** Where the pages are. A browser allows passkeys on `localhost` without TLS. */
  readonly origin: string;
  close(): Promise<void>;
};

/** Starts both. @throws Error if there is no Chromium */
export async function startTestPages(bundle: Bundle, options: Omit<TestOptions, 'pages'> = {}): Promise<TestPages> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no Chromium: install one, or set CHROMIUM_PATH to its program');
  const { port } = await freePorts(['port']);
  const t = await startTestConsole({ ...options, pages: { bundle, port } });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const close = async () => {
    await browser.close();
    await t.close();
  };
  return { t, browser, origin: `http://localhost:${String(port)}`, close };
}
