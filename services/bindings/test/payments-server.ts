import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { internalTokenVerifier } from '@pay/shared/internal-auth/internal-token.ts';
import { z } from 'zod';

const Command = z.strictObject({
  paymentId: z.uuid(),
  bindingId: z.uuid(),
  merchantOrderId: z.string(),
  amountKopecks: z.string(),
  description: z.string(),
  receipt: z.unknown().optional(),
  createdAt: z.iso.datetime({ precision: 3 }),
});
const Checked = Command.pick({ bindingId: true, merchantOrderId: true, amountKopecks: true, receipt: true });
const Withdrawn = Command.extend({ failureCode: z.string() });
export type Command = z.infer<typeof Command> & { readonly partnerId: string };

/** What the server does with a call. `silent`: it takes the charge, and the answer is lost. */
export type Behaviour =
  | { readonly kind: 'take'; readonly status?: string }
  | { readonly kind: 'silent' }
  | {
      readonly kind: 'refuse';
      readonly status: number;
      readonly code: string;
      readonly details?: unknown;
      readonly paymentId?: string;
    };

/** Simulates payments: one payment per id, however often it is sent. One that was withdrawn first is never taken. */
export type PaymentsServer = {
  readonly url: string;
  /** All payments in the order in which they were created. A withdrawn one is included, and took no money. */
  readonly taken: Map<string, Command>;
  /** The charges that were withdrawn before they arrived, with the reason. */
  readonly withdrawn: Map<string, string>;
  /** The bindings whose revocation was reported. */
  readonly revoked: Set<string>;
  /** Every call, repeats too. */
  readonly calls: Command[];
  /** While true, callers get no answer and nothing happens. */
  isAway: boolean;
  /** The fault that a check of a charge reports. */
  wrong: Extract<Behaviour, { kind: 'refuse' }> | undefined;
  /** Decides each call to come. */
  behave: (command: Command) => Behaviour | Promise<Behaviour>;
  close(): Promise<void>;
};

export async function startPaymentsServer(tokenKey: Buffer): Promise<PaymentsServer> {
  const verify = internalTokenVerifier('payments', tokenKey);
  const taken = new Map<string, Command>();
  const withdrawn = new Map<string, string>();
  const revoked = new Set<string>();
  const server = createServer((req, res) => {
    const answer = (status: number, body: unknown) => {
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    const serve = async () => {
      const body = await text(req);
      const partnerId = verify(String(req.headers['x-internal-token']));
      if (partnerId === undefined) {
        answer(401, { error: 'unauthorized', code: 'UNAUTHORIZED' });
        return;
      }
      if (played.isAway) {
        req.socket.destroy();
        return;
      }
      const [, toldOf] = /^\/internal\/saved-cards\/([0-9a-f-]{36})\/revoke$/.exec(req.url ?? '') ?? [];
      if (toldOf !== undefined) {
        revoked.add(toldOf);
        answer(200, {});
        return;
      }
      if (req.url === '/internal/charges/checked') {
        Checked.parse(JSON.parse(body));
        const { wrong } = played;
        if (wrong === undefined) answer(200, {});
        else answer(wrong.status, { error: 'no', code: wrong.code, details: wrong.details, paymentId: wrong.paymentId });
        return;
      }
      if (req.url === '/internal/charges/withdrawn') {
        const { failureCode, ...rest } = Withdrawn.parse(JSON.parse(body));
        if (!taken.has(rest.paymentId)) {
          taken.set(rest.paymentId, { ...rest, partnerId });
          withdrawn.set(rest.paymentId, failureCode);
        }
        answer(200, { paymentId: rest.paymentId, status: withdrawn.has(rest.paymentId) ? 'FAILED' : 'SUBMITTED' });
        return;
      }
      const command = { ...Command.parse(JSON.parse(body)), partnerId };
      played.calls.push(command);
      const behaviour: Behaviour = await played.behave(command);
      if (behaviour.kind === 'refuse') {
        const { status, code, details, paymentId } = behaviour;
        answer(status, { error: 'no', code, details, paymentId });
        return;
      }
      const known = taken.get(command.paymentId);
      if (known !== undefined && JSON.stringify(known) !== JSON.stringify(command)) {
        answer(409, { error: 'no', code: 'IDEMPOTENCY_KEY_REUSED' });
        return;
      }
      taken.set(command.paymentId, command);
      if (behaviour.kind === 'silent') req.socket.destroy();
      else {
        const status = withdrawn.has(command.paymentId) ? 'FAILED' : (behaviour.status ?? 'SUBMITTED');
        answer(200, { paymentId: command.paymentId, status });
      }
    };
    serve().catch(() => {
      req.socket.destroy();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const played: PaymentsServer = {
    url: `http://127.0.0.1:${String(port)}`,
    taken,
    withdrawn,
    revoked,
    isAway: false,
    wrong: undefined,
    calls: [],
    behave: () => ({ kind: 'take' }),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return played;
}
