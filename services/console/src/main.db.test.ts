import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testConsoleKey } from '../../../packages/shared/test/operators.ts';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/database.ts';
import { startService, type ServiceProcess } from '../../../tools/testing/process.ts';

const key = () => randomBytes(32).toString('base64');

describe('the process of the console', () => {
  let database: TestDatabase;
  let service: ServiceProcess;

  beforeAll(async () => {
    database = await createTestDatabase('console');
    service = await startService('console', {
      ENVIRONMENT: 'TEST',
      DATABASE_URL: database.url,
      PUBLIC_URL: 'http://console.test',
      AUTH_SECRET: key(),
      SECOND_FACTOR: 'required',
      OPERATOR_IDENTITY_PRIVATE_KEY: testConsoleKey().privateKeyBase64,
      GATEWAY_OPERATOR_URL: 'http://127.0.0.1:1',
      PAYMENTS_OPERATOR_URL: 'http://127.0.0.1:1',
      BINDINGS_OPERATOR_URL: 'http://127.0.0.1:1',
      WITHDRAWALS_OPERATOR_URL: 'http://127.0.0.1:1',
      NOTIFIER_OPERATOR_URL: 'http://127.0.0.1:1',
    });
  });
  /** The status alone; a body that nobody reads keeps its connection. */
  const statusOf = async (path: string) => {
    const response = await fetch(`${service.urlOf('api')}${path}`);
    await response.arrayBuffer();
    return response.status;
  };
  afterAll(async () => {
    await service.kill();
    await database.drop();
  });

  it('404 for a path that is no route', async () => {
    const response = await fetch(`${service.urlOf('api')}/nowhere`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'NOT_FOUND', error: 'not found' });
  });

  it('shows its pages with a policy that lets in nothing from elsewhere, and script and style that may be kept', async () => {
    const page = await fetch(`${service.urlOf('api')}/withdrawals?status=APPROVED`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self' 'nonce-[A-Za-z0-9+/=]+';/);
    expect(policy).toContain("frame-ancestors 'none'");
    const html = await page.text();
    const again = await fetch(`${service.urlOf('api')}/`);
    await again.arrayBuffer();
    expect(again.headers.get('content-security-policy')).not.toBe(policy);
    for (const [, path = ''] of html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) {
      const asset = await fetch(`${service.urlOf('api')}${path}`);
      expect({ path, status: asset.status }).toEqual({ path, status: 200 });
      expect(asset.headers.get('cache-control')).toContain('immutable');
      expect((await asset.text()).length).toBeGreaterThan(50);
    }
  });

  it('401 for the API without a session, whatever the path', async () => {
    for (const path of ['/api/session', '/api/audit', '/api/nothing', '/api/gateway/partners']) expect(await statusOf(path)).toBe(401);
  });

  it('shows the documentation, compressed, with a policy that lets in nothing from elsewhere', async () => {
    const docs = `${service.urlOf('api')}/docs/`;
    const index = await fetch(`${service.urlOf('api')}/docs`);
    expect(index.url).toBe(docs);
    expect(index.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'$/,
    );
    const named = [...(await index.text()).matchAll(/(?:href|src)="([^"#:]+)"/g)].flatMap(([, path = '']) => path);
    expect(named).toContain('reference.html');
    for (const path of [...new Set(named), 'openapi.json', 'openapi-operators.json', 'search.json']) {
      const response = await fetch(new URL(path, docs));
      const { status, headers } = response;
      await response.arrayBuffer();
      expect({ path, status, encoding: headers.get('content-encoding') }).toEqual({ path, status: 200, encoding: 'gzip' });
      expect(headers.get('cache-control')).toContain(path.startsWith('assets/') ? 'immutable' : 'no-store');
    }
    const plain = await fetch(`${docs}openapi.json`, { headers: { 'accept-encoding': 'identity' } });
    expect(await plain.json()).toHaveProperty('openapi', '3.1.1');
    expect((await fetch(`${docs}signing.md`)).url).toBe(`${docs}partners/signing.html`);
  });

  it('offers to try the API nowhere unless it is told where', async () => {
    const response = await fetch(`${service.urlOf('api')}/docs/try.json`);
    expect(await response.json()).toEqual({ forwardsTo: null });
    expect(await statusOf('/docs/try/api/card')).toBe(404);
  });

  it('404 for a document that is none, and for a way out of the folder', async () => {
    for (const path of ['/docs/none.md', '/docs/..%2fpackage.json', '/docs/%2e%2e/package.json']) {
      expect(await statusOf(path)).toBe(404);
    }
  });
});
