import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { createLog, type Log } from '../packages/shared/src/logging/logger.ts';
import { registry } from '../packages/shared/src/telemetry/metrics.ts';
import { startStories, type Stories } from '../services/payments/test/checkout-pages.ts';
import { openBrowser, visit } from './browser.ts';
import { until } from './world.ts';

/** A script injected into a checkout page, in a real browser. */
let stories: Stories;
let browser: Browser;
const warnings: unknown[] = [];

beforeAll(async () => {
  const log: Log = createLog('stories', 'silent');
  log.warn = (message, fields) => {
    warnings.push({ message, ...fields });
  };
  stories = await startStories({}, log);
  browser = await openBrowser();
});
afterAll(async () => {
  await browser.close();
  await stories.stop();
});

async function counted(): Promise<number> {
  const metric = await registry.getSingleMetric('csp_reports_total')?.get();
  return metric?.values.find(({ labels }) => labels['directive'] === 'script-src-elem')?.value ?? 0;
}

it('CSP: an injected inline script does not run; the browser reports it, and it is logged and counted without the link', async () => {
  const before = await counted();
  const context = await visit(browser, { screen: 'desk', language: 'en', javaScript: true });
  const page = await context.newPage();
  const path = stories.tell({});
  // The page as sent, plus what an attacker inserted on the way or in our files. Without https Chromium has no
  // Reporting API, and it ignores the older directive if a policy also names that; so the policy names only the older
  // one.
  await page.route(`**${path}`, async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace('</body>', '<script>document.title = "stolen"</script></body>');
    const policy = String(answer.headers()['content-security-policy']).replace('report-to csp; ', '');
    await route.fulfill({
      response: answer,
      body,
      headers: { ...answer.headers(), 'content-security-policy': policy },
    });
  });
  await page.goto(stories.origin + path);
  expect(await page.title()).not.toBe('stolen');
  expect(await page.content()).toContain('stolen');
  await until('the report', async () => ((await counted()) > before ? true : undefined));
  expect(warnings).toContainEqual({
    message: 'a browser reported a Content Security Policy violation',
    directive: 'script-src-elem',
    blocked: 'inline',
  });
  expect(JSON.stringify(warnings)).not.toContain(path);
  await context.close();
});
