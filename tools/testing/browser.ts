import { obtainChromium } from './chromium.ts';

/**
 * Runs before the project "browser": provides a browser. The tests serve its pages themselves, over payments in memory.
 */
export default async function setUp(): Promise<void> {
  process.env['CHROMIUM_PATH'] = await obtainChromium((line) => {
    process.stdout.write(`  ${line}\n`);
  });
}
