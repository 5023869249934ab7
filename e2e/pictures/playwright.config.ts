import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { findChromium } from '../../tools/testing/chromium.ts';

const executablePath = findChromium();
const ROOT = join(import.meta.dirname, '..', '..');

/** `npm run pictures`. What differs is put into `artifacts/pictures`. */
export default defineConfig({
  outputDir: join(ROOT, 'artifacts', 'pictures'),
  reporter: 'dot',
  workers: 1,
  timeout: 120_000,
  snapshotPathTemplate: '{testDir}/expected/{arg}{ext}',
  // Machines and versions of the browser smooth letters differently: a few pixels. A line that moved is hundreds.
  expect: { timeout: 60_000, toHaveScreenshot: { maxDiffPixels: 50, scale: 'device' } },
  use: {
    launchOptions: {
      ...(executablePath === undefined ? {} : { executablePath }),
      args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none', '--disable-lcd-text'],
    },
  },
});
