import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { renderOpenSshKey } from '@pay/signing/ed25519.ts';
import { openMechanisms, silent, type Mechanisms } from '../../test/mechanisms.ts';
import { createApp } from '../http/app.ts';
import { listen, type Listener } from '../http/server.ts';
import { operatorIdentitySigner, operatorIdentityVerifier } from './operator-identity.ts';
import { IDENTITY_HEADER, operatorRoutes } from './operator-of.ts';

const AUDIENCE = 'bindings-operator';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const sign = operatorIdentitySigner(privateKey);
const olga = { login: 'olga@example.com', role: 'admin', sessionId: 's-1', notIndependentOf: [] } as const;

let t: Mechanisms;
beforeAll(async () => {
  t = await openMechanisms();
});
afterAll(async () => {
  await t.close();
});

/** Two replicas of a service, which know nothing of each other but its database. */
let replicas: readonly Listener[] = [];
let done = 0;
beforeEach(async () => {
  done = 0;
  const start = () =>
    listen(
      createApp({
        listener: 'operator',
        log: silent,
        requestIdFrom: 'caller',
        routes: (app) => {
          const verify = operatorIdentityVerifier(AUDIENCE, [renderOpenSshKey(publicKey)]);
          const routes = operatorRoutes(app, t.database.db, verify);
          routes.post('/x', 'bindings.revoke', (_req, res) => {
            done += 1;
            res.json({});
          });
          routes.get('/x', 'bindings.revoke', (_req, res) => void res.json({}));
        },
      }),
      '127.0.0.1',
      0,
    );
  replicas = [await start(), await start()];
});
afterEach(async () => {
  await Promise.all(replicas.map((replica) => replica.drain(0)));
});

const identityFor = (method: string) =>
  sign(AUDIENCE, olga, { method, target: '/x', bodySha256: createHash('sha256').update('').digest('hex') });
async function call(replica: number, method: string, identity: string): Promise<number> {
  const address = `http://127.0.0.1:${String(replicas[replica]?.port)}/x`;
  const response = await fetch(address, { method, headers: { [IDENTITY_HEADER]: identity } });
  await response.arrayBuffer();
  return response.status;
}
const known = async () => (await t.query<{ n: number }>('select count(*)::int as n from used_identities'))[0]?.n;

describe('an operator’s identity', () => {
  it('401 UNAUTHORIZED: is good for one change, whichever replica is asked (N10)', async () => {
    const identity = identityFor('POST');
    expect(await call(0, 'POST', identity)).toBe(200);
    expect([await call(0, 'POST', identity), await call(1, 'POST', identity)]).toEqual([401, 401]);
    expect(done).toBe(1);
  });

  it('401 UNAUTHORIZED: of twenty that repeat it at both at once, one acts (N10)', async () => {
    const identity = identityFor('POST');
    const statuses = await Promise.all(Array.from({ length: 20 }, (_, index) => call(index % 2, 'POST', identity)));
    expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 19 }, () => 401)]);
    expect(done).toBe(1);
  });

  it('200: reads as often as it is asked to', async () => {
    const identity = identityFor('GET');
    expect([await call(0, 'GET', identity), await call(0, 'GET', identity), await call(1, 'GET', identity)]).toEqual([200, 200, 200]);
  });

  it('is forgotten once it would be refused as old', async () => {
    await t.query("update used_identities set ends_at = clock_timestamp() - interval '2 minutes'");
    expect(await known()).toBeGreaterThan(0);
    expect(await call(0, 'POST', identityFor('POST'))).toBe(200);
    expect(await known()).toBe(1);
  });
});
