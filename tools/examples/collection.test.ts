import { execFileSync } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { requestIsSigned } from '../../packages/signing/src/request-signature.ts';
import { ROOT } from '../infrastructure/folders.ts';
import { readJson } from '../infrastructure/files.ts';

const COLLECTION = join(ROOT, 'examples/bruno');
const read = (path: string): string => readFileSync(join(COLLECTION, path), 'utf8');

describe('npm run build:bruno', () => {
  const folder = mkdtempSync(join(tmpdir(), 'collection-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  execFileSync(process.execPath, [join(ROOT, 'tools/examples/write-collection.ts'), folder]);
  const made = globSync('**/*', { cwd: folder, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
  const requests = made.filter((path) => path.endsWith('.bru') && !path.endsWith('/collection.bru'));

  it('writes a request for each operation of docs/openapi.json, beside the script that signs it', () => {
    const { paths } = z
      .object({ paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string() }))) })
      .parse(readJson(join(ROOT, 'docs/openapi.json')));
    const ids = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
    expect(requests.map((path) => basename(path, '.bru')).sort()).toEqual(ids.sort());
    expect(made.length - requests.length).toBe(2);
    expect(readFileSync(join(folder, 'collection.bru'), 'utf8')).toBe(read('collection.bru'));
  });

  it('takes what a partner has of its own from variables, in a form that Bruno reads', () => {
    const request = (path: string) => readFileSync(join(folder, path), 'utf8');
    expect(request('QR payments/createQrPayment.bru')).toBe(`meta {
  name: Create a QR payment; the buyer pays by scanning the code
  type: http
  seq: 7
}

post {
  url: {{baseUrl}}/api/qr
  body: json
  auth: none
}

body:json {
  {
    "paymentPointID": "{{qrPoint}}",
    "amount": 10.5,
    "description": "Tea"
  }
}
`);
    expect(request('Registers/readRegister.bru')).toContain(`
get {
  url: {{baseUrl}}/api/registers/RUB/{{date}}
  body: none
  auth: none
}

params:query {
  ~format: 
  ~part: 
}
`);
  });

  it('names no variable that the script never sets', () => {
    const script = read('collection.bru');
    const named = requests.flatMap((path) => [...readFileSync(path, 'utf8').matchAll(/\{\{(\w+)\}\}/g)]);
    const unknown = named.map(([, name = '']) => name).filter((name) => !new RegExp(`\\b${name}\\b`).test(script));
    expect(unknown).toEqual([]);
  });
});

describe('the script of examples/bruno', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bruno-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  const Vectors = z.object({
    partnerID: z.string(),
    privateKeyPkcs8Pem: z.string(),
    publicKeyOpenSsh: z.string(),
    cases: z.array(z.object({ method: z.string(), target: z.string(), body: z.string() })),
  });
  const vectors = Vectors.parse(JSON.parse(readFileSync(join(ROOT, 'packages/signing/test/vectors/request-signing.json'), 'utf8')));
  const baseUrl = 'https://api.example';
  const privateKeyFile = join(folder, 'partner.pem');
  writeFileSync(privateKeyFile, vectors.privateKeyPkcs8Pem);
  const profileFile = join(folder, 'profile.json');
  const { partnerID, publicKeyOpenSsh: publicKey } = vectors;
  writeFileSync(
    profileFile,
    JSON.stringify({
      baseUrl,
      partnerID,
      publicKey,
      privateKeyFile,
      paymentPoints: { card: 'point-card', qr: 'point-qr' },
      storeID: 'store-1',
    }),
  );
  const [, script = ''] = /^script:pre-request \{\n(.*?)^\}$/ms.exec(read('collection.bru')) ?? [];

  /** Runs the script as Bruno does in its developer mode, and returns the request that is then sent. */
  function send(given: { readonly method: string; readonly url: string; readonly body?: string }) {
    const variables = new Map<string, string>();
    const sent = { ...given, headers: new Map<string, string>() };
    const modules = createRequire(import.meta.url);
    runInNewContext(script, {
      Buffer,
      require: (name: string): unknown => (name === 'crypto' || name === 'fs' ? modules(name) : undefined),
      bru: {
        getProcessEnv: () => profileFile,
        setVar: (name: string, value: string) => variables.set(name, value),
        interpolate: (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (all, name: string) => variables.get(name) ?? all),
      },
      req: {
        getMethod: () => sent.method,
        getUrl: () => sent.url,
        setUrl: (url: string) => (sent.url = url),
        getBody: () => sent.body,
        setBody: (body: string) => (sent.body = body),
        setHeader: (name: string, value: string) => sent.headers.set(name, value),
      },
    });
    return sent;
  }

  const Authorization = z.strictObject({
    partnerID: z.string(),
    key: z.string(),
    sign: z.string(),
    timestamp: z.string(),
    nonce: z.string(),
  });

  /** Whether the service would accept the request. */
  function isAccepted({ method, url, body = '', headers }: ReturnType<typeof send>): boolean {
    const { sign, timestamp, nonce } = Authorization.parse(JSON.parse(headers.get('Authorization') ?? ''));
    const target = url.slice(baseUrl.length);
    const idempotencyKey = headers.get('Idempotency-Key') ?? '';
    const key = createPublicKey(vectors.privateKeyPkcs8Pem);
    return requestIsSigned(key, { timestamp, nonce, method, target, idempotencyKey, body: Buffer.from(body) }, Buffer.from(sign, 'base64'));
  }

  it.each(vectors.cases)('signs $method $target', ({ method, target, body }) => {
    const sent = send({ method, url: `{{baseUrl}}${target}`, ...(body === '' ? {} : { body }) });
    expect(sent.url).toBe(`${baseUrl}${target}`);
    expect(isAccepted(sent)).toBe(true);
    expect(sent.headers.has('Idempotency-Key')).toBe(method === 'POST');
  });

  it.each([
    { method: 'GET', url: '{{baseUrl}}/v1/bindings/{{bindingId}}', missing: 'bindingId' },
    { method: 'POST', url: '{{baseUrl}}/v1/x', body: '{"a":"{{bindingId}}","b":"{{id}}"}', missing: 'bindingId, id' },
  ])('sends nothing as long as $missing is not known', ({ missing, ...request }) => {
    expect(() => send(request)).toThrow(`not known yet: ${missing}. Send the request that returns it first.`);
  });

  it('fills in the variables of a body before it signs', () => {
    const sent = send({
      method: 'POST',
      url: '{{baseUrl}}/api/card',
      body: '{"paymentPointID":"{{cardPoint}}","amount":10.50}',
    });
    expect(sent.body).toBe('{"paymentPointID":"point-card","amount":10.50}');
    expect(isAccepted(sent)).toBe(true);
    expect(isAccepted({ ...sent, body: '{"paymentPointID":"point-card","amount":10.51}' })).toBe(false);
  });
});
