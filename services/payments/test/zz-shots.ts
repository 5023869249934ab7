import { startStories } from '/work/main/services/payments/test/form-stories.ts';
import { openBrowser, visit, keepScreenshot } from '/work/main/e2e/browser.ts';
const s = await startStories();
const b = await openBrowser();
const only = process.argv[2]?.split(',');
for (const [screen, language, colors] of [['phone','ru','light'],['desk','ru','light'],['phone','en','dark'],['desk','en','dark']] as const) {
  const c = await visit(b, { screen, language, colors, javaScript: true });
  const p = await c.newPage();
  p.on('console', m => console.log(screen, m.type(), m.text()));
  p.on('pageerror', e => console.log(screen, e.message));
  const en = language === 'en' ? { storeName: 'Quiet Harbour Books', description: 'Three books and delivery to a pick-up point' } : {};
  const shots: [string, string][] = [
    ['card', s.tell(en)], ['live', s.tell({...en, environment:'LIVE'})], ['paid', s.tell({...en, status:'COMPLETED', cardMask:'220070******0009'})+'/result'], ['already', s.tell({...en, status:'COMPLETED'})],
    ['declined', s.tell({...en, status:'REJECTED', failureCode:'INSUFFICIENT_FUNDS'})], ['expired', s.tell({...en,status:'EXPIRED'})], ['cancelled', s.tell({...en,status:'CANCELLED'})],
    ['refunded', s.tell({...en,status:'REFUNDED'})], ['waiting', s.tell({...en,status:'PENDING'})], ['404', '/pay/nothing-here-at-all-000'],
  ];
  for (const [n, path] of shots) {
    if (only && !only.includes(n)) continue;
    await p.goto(s.origin + path); await keepScreenshot(p, `draft-${n}-${screen}-${colors}`);
  }
  if (!only || only.includes('errors')) {
  await p.goto(s.origin + s.tell(en));
  await p.fill('#number', '4111 1111 1111 1112'); await p.fill('#expiry', '13/28'); await p.click('[data-busy]'); await p.waitForSelector('.alert');
  await keepScreenshot(p, `draft-errors-${screen}-${colors}`);
  console.log(await p.evaluate('document.activeElement.className'));
  }
  if (!only || only.includes('typed')) {
  await p.goto(s.origin + s.tell(en)); await p.click('.test summary'); await p.click('.cancel summary'); await p.fill('#number', '2200700000000009'); await p.locator('#expiry').focus();
  await keepScreenshot(p, `draft-typed-${screen}-${colors}`);
  }
  await c.close();
}
await b.close(); await s.stop();
