import type { Command } from 'commander';
import { internalTokenSigner } from '@pay/shared/internal-auth/internal-token.ts';
import { ApiError } from '../errors.ts';
import { contextOf } from './context.ts';
import { CliFault, EXIT, usage } from './fault.ts';
import { readSystemFacts } from './profile.ts';

/** Services with an operator API on their private port. */
export type OperatorService = 'bindings' | 'console' | 'gateway' | 'notifier' | 'payments' | 'withdrawals';

const TIMEOUT_MS = 10_000;

/** Calls an operator API (`GET partners`) with a token that says who acts, good for half a minute, for this service only. */
export async function callOperatorApi(
  command: Command,
  service: OperatorService,
  route: string,
  body?: unknown,
): Promise<void> {
  const { output, profile } = contextOf(command);
  const { ports, operatorTokenKeys } = readSystemFacts(profile());
  const key = operatorTokenKeys[service];
  const port = ports[`${service}-1-private`];
  if (key === undefined || port === undefined)
    throw usage('operator commands need the system of `npm start` on this machine');
  const { as: login }: { as: string } = command.optsWithGlobals();
  const [method = '', path = ''] = route.split(' ');
  const token = internalTokenSigner('cli', `${service}-operator`, Buffer.from(key, 'base64'))(login);
  const response = await fetch(`http://127.0.0.1:${String(port)}/operator/${path}`, {
    method,
    headers: { 'X-Internal-Token': token, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new CliFault(EXIT.unreachable, `${service} does not answer on its private port: ${String(error)}`);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!response.ok) {
    throw new ApiError({
      status: response.status,
      body: answer,
      retryAfterSeconds: undefined,
      requestId: response.headers.get('x-request-id') ?? undefined,
      idempotencyKey: undefined,
    });
  }
  output.result(JSON.stringify(answer, null, 2), answer);
}
