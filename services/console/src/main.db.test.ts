import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/database.ts';
import {
  migrateService,
  requestAcrossStop,
  startService,
  type ServiceProcess,
} from '../../../tools/testing/process.ts';

describe('the process of the console', () => {
  let database: TestDatabase;
  let service: ServiceProcess;

  beforeAll(async () => {
    database = await createTestDatabase('console');
    service = await startService('console', {
      ENVIRONMENT: 'TEST',
      DATABASE_URL: database.url,
      OPERATOR_TOKEN_KEY: randomBytes(32).toString('base64'),
      GATEWAY_OPERATOR_URL: 'http://127.0.0.1:1',
      PAYMENTS_OPERATOR_URL: 'http://127.0.0.1:1',
      BINDINGS_OPERATOR_URL: 'http://127.0.0.1:1',
      WITHDRAWALS_OPERATOR_URL: 'http://127.0.0.1:1',
      NOTIFIER_OPERATOR_URL: 'http://127.0.0.1:1',
    });
  });
  afterAll(async () => {
    await service.kill();
    await database.drop();
  });

  it('migrates again, twice at once, and changes nothing', async () => {
    await expect(
      Promise.all([migrateService('console', database.url), migrateService('console', database.url)]),
    ).resolves.toHaveLength(2);
  });

  it('404 for a path that is no route', async () => {
    const response = await fetch(`${service.urlOf('api')}/`);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'NOT_FOUND', error: 'not found' });
  });

  it('shows the guides and the OpenAPI document, and follows their links to each other', async () => {
    const docs = `${service.urlOf('api')}/docs/`;
    const index = await fetch(`${service.urlOf('api')}/docs`);
    expect(index.url).toBe(docs);
    expect(index.headers.get('content-security-policy')).toContain("default-src 'none'");
    const paths = [...(await index.text()).matchAll(/<li><a href="([^"]+)"/g)].flatMap(([, path = '']) => path);
    expect(paths).toContain('openapi.json');
    expect(paths.length).toBeGreaterThan(15);
    for (const path of paths) {
      const response = await fetch(new URL(path, docs));
      expect({ path, status: response.status }).toEqual({ path, status: 200 });
      if (!path.endsWith('.md')) continue;
      const links = [...(await response.text()).matchAll(/href="([^"#:]+\.md)(?:#[^"]*)?"/g)].flatMap(
        ([, link = '']) => link,
      );
      for (const link of links) {
        const linked = await fetch(new URL(link, new URL(path, docs)));
        expect({ path, link, status: linked.status }).toEqual({ path, link, status: 200 });
      }
    }
  });

  it('404 for a document that is none, and for a way out of the folder', async () => {
    for (const path of ['/docs/none.md', '/docs/..%2fpackage.json', '/docs/%2e%2e/package.json']) {
      expect((await fetch(`${service.urlOf('api')}${path}`)).status).toBe(404);
    }
  });

  it('ends after SIGTERM with the running request answered', async () => {
    expect(await requestAcrossStop(service)).toEqual({ statusLine: 'HTTP/1.1 404 Not Found', exitCode: 0 });
  });
});
