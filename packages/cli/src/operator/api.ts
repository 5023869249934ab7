import type { Command } from 'commander';
import { ApiError } from '@pay/sdk/errors.ts';
import { contextOf } from '../context.ts';
import { CliFault, EXIT } from '../fault.ts';
import { answerLines } from '../output.ts';
import { operatorSession, type OperatorSession } from './session.ts';

/** The services with an operator API, and the console itself. */
export type OperatorService = 'bindings' | 'console' | 'gateway' | 'notifier' | 'payments' | 'withdrawals';

const TIMEOUT_MS = 15_000;

/**
 * Calls an operator API (`GET partners`) through the console, as the person that `--as` names: signed in as in a browser,
 * with that person's role, and recorded in the console's audit log. There is no other way to reach a service.
 */
export async function callOperatorApi(command: Command, service: OperatorService, route: string, body?: unknown): Promise<void> {
  const { output } = contextOf(command);
  const answer = await readOperatorApi(command, service, route, body);
  output.result(answerLines(answer), answer);
}

/** As `callOperatorApi`, but returns the answer instead of printing it. */
export async function readOperatorApi(command: Command, service: OperatorService, route: string, body?: unknown): Promise<unknown> {
  const [method = '', path = ''] = route.split(' ');
  const session = await operatorSession(command);
  const target = `/api/${service === 'console' ? '' : `${service}/`}${path}`;
  let response = await ask(session, method, target, body);
  // The session was kept from an earlier command and has ended since.
  if (response.status === 401) response = await ask(await operatorSession(command, { isNew: true }), method, target, body);
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
  return answer;
}

function ask({ consoleUrl, cookie }: OperatorSession, method: string, target: string, body: unknown) {
  return fetch(`${consoleUrl}${target}`, {
    method,
    headers: { Cookie: cookie, Origin: new URL(consoleUrl).origin, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error: unknown) => {
    throw new CliFault(EXIT.unreachable, `the console does not respond at ${consoleUrl}: ${String(error)}`);
  });
}
