import { obtainChromium } from './chromium.ts';

/** Before the project "browser": a browser. Its pages are served by the tests themselves, over payments in memory. */
export default async function setUp(): Promise<void> {
  process.env['CHROMIUM_PATH'] = await obtainChromium((line) => {
    process.stdout.write(`  ${line}\n`);
  });
}
