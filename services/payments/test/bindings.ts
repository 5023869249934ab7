import { randomBytes } from 'node:crypto';
import { listen } from '@pay/shared/http/server.ts';
import { internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';

/** A binding as the played service keeps it. */
export type PlayedBinding = {
  partnerId: string;
  status: 'ACTIVE' | 'REVOKED' | 'EXPIRED';
  period: string;
  nextChargeAt: string;
  cardMask?: string;
  cardExpiry?: string;
};

export type TestBindings = {
  readonly url: string;
  readonly tokenKey: Buffer;
  readonly known: Map<string, PlayedBinding>;
  /** How often each binding was revoked. */
  readonly revocations: string[];
  /** While true, every call is answered 500. */
  isBroken: boolean;
  /** What each answer waits for; it says what was true when the call came. */
  hold: (() => Promise<void>) | undefined;
  close(): Promise<void>;
};

/** The bindings service for tests, played by a real HTTP server: its two pages for buyers, behind an internal token. */
export async function startTestBindings(): Promise<TestBindings> {
  const tokenKey = randomBytes(32);
  const verify = internalTokenVerifier('bindings', tokenKey);
  const known = new Map<string, PlayedBinding>();
  const revocations: string[] = [];
  const listener = await listen(
    (req, res) => {
      const answer = (status: number, body: object) => {
        res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      };
      const token = req.headers['x-internal-token'];
      const partnerId = typeof token === 'string' ? verify(token) : undefined;
      const [, bindingId = '', verb] = /^\/internal\/bindings\/([0-9a-f-]{36})(\/revoke)?$/.exec(req.url ?? '') ?? [];
      const binding = known.get(bindingId);
      if (bindings.isBroken) answer(500, { code: 'INTERNAL_ERROR' });
      else if (partnerId === undefined) answer(401, { code: 'UNAUTHORIZED' });
      else if (binding?.partnerId !== partnerId) answer(404, { code: 'NOT_FOUND' });
      else {
        if (verb !== undefined && req.method === 'POST') {
          revocations.push(bindingId);
          if (binding.status === 'ACTIVE') binding.status = 'REVOKED';
        }
        const said = { bindingId, ...binding, lastChargedAt: '2026-11-21T00:00:00.000Z' };
        void (bindings.hold?.() ?? Promise.resolve()).then(() => {
          answer(200, said);
        });
      }
    },
    '127.0.0.1',
    0,
  );
  const bindings: TestBindings = {
    url: `http://127.0.0.1:${String(listener.port)}`,
    tokenKey,
    known,
    revocations,
    isBroken: false,
    hold: undefined,
    close: () => listener.drain(0),
  };
  return bindings;
}
