import { chromium, type Browser, type Page } from 'playwright-core';
import type { Role } from '@pay/shared/operators/roles.ts';
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
  /** A page of somebody with this role, or of a stranger. Its context is the caller's to close. */
  readonly open: (path: string, role?: Role | 'stranger') => Promise<Page>;
  close(): Promise<void>;
};

/** Limits waiting for what never comes. A busy machine takes longer than Playwright's 30 s. */
const WAIT_MS = 120_000;

/** @throws Error if there is no Chromium */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('no Chromium: install one, or set CHROMIUM_PATH to its program');
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  browser.on('context', (context) => {
    context.setDefaultTimeout(WAIT_MS);
  });
  return browser;
}

/** Starts both. @throws Error if there is no Chromium */
export async function startTestPages(bundle: Bundle, options: Omit<TestOptions, 'pages'> = {}): Promise<TestPages> {
  const { port } = await freePorts(['port']);
  const t = await startTestConsole({ ...options, pages: { bundle, port } });
  const browser = await launchBrowser();
  const close = async () => {
    await browser.close();
    await t.close();
  };
  const origin = `http://localhost:${String(port)}`;
  const open = async (path: string, role: Role | 'stranger' = 'admin') => {
    const context = await browser.newContext();
    const cookies = role === 'stranger' ? [] : (await t.cookieOf(role)).split('; ');
    await context.addCookies(
      cookies.map((cookie) => {
        const cut = cookie.indexOf('=');
        return { name: cookie.slice(0, cut), value: cookie.slice(cut + 1), url: origin };
      }),
    );
    const page = await context.newPage();
    await page.goto(`${origin}${path}`, { waitUntil: 'commit' });
    return page;
  };
  return { t, browser, origin, open, close };
}
