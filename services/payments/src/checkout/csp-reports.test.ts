import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { registry } from '@pay/shared/telemetry/metrics.ts';
import { startStories, type Stories } from '../../test/checkout-pages.ts';

let stories: Stories;
beforeEach(async () => {
  stories = await startStories({ reports: 5 });
});
afterEach(() => stories.stop());

const send = (body: unknown) =>
  fetch(`${stories.origin}/csp-reports`, {
    method: 'POST',
    headers: { 'content-type': 'application/reports+json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

async function counted(): Promise<Readonly<Record<string, number>>> {
  const metric = await registry.getSingleMetric('csp_reports_total')?.get();
  return Object.fromEntries((metric?.values ?? []).map(({ labels, value }) => [String(labels['directive']), value]));
}

const modern = (directive: string) => ({
  type: 'csp-violation',
  url: 'https://pay.example/pay/secret-link',
  body: { effectiveDirective: directive, blockedURL: 'https://evil.example/s.js?card=4111111111111111' },
});
const old = (directive: string) => ({
  'csp-report': { 'document-uri': 'https://pay.example/pay/x', 'violated-directive': `${directive} 'self'`, 'blocked-uri': 'inline' },
});

describe('reports of the policy', () => {
  it('are counted by directive, new form and old, several in one; what is no directive of ours is "other"', async () => {
    const before = await counted();
    expect((await send([modern('script-src-elem'), modern('img-src')])).status).toBe(204);
    expect((await send(old('connect-src'))).status).toBe(204);
    expect((await send(modern('nonsense-of-a-stranger'))).status).toBe(204);
    const after = await counted();
    for (const directive of ['script-src-elem', 'img-src', 'connect-src', 'other'])
      expect((after[directive] ?? 0) - (before[directive] ?? 0)).toBe(1);
    expect(Object.keys(after)).not.toContain('nonsense-of-a-stranger');
  });

  it('that are no reports, too many in one or too long are taken and thrown away', async () => {
    const before = await counted();
    for (const body of ['', 'no json', [], { 'csp-report': 'x' }]) expect((await send(body)).status).toBe(204);
    expect((await send(Array.from({ length: 50 }, () => modern('base-uri')))).status).toBe(204);
    expect(((await counted())['base-uri'] ?? 0) - (before['base-uri'] ?? 0)).toBe(10);
  });

  it('of more than its share a minute are refused, and the pages of the same address are not', async () => {
    for (let count = 0; count < 5; count += 1) expect((await send(modern('img-src'))).status).toBe(204);
    expect((await send(modern('img-src'))).status).toBe(429);
    expect((await fetch(stories.origin + stories.tell({}))).status).toBe(200);
  });

  it('are asked for by every page, old browsers and new', async () => {
    const { headers } = await fetch(stories.origin + stories.tell({}));
    expect(headers.get('content-security-policy')).toContain('report-to csp; report-uri /csp-reports');
    expect(headers.get('reporting-endpoints')).toBe('csp="/csp-reports"');
  });
});
