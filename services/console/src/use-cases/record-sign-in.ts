import { inTransaction } from '@pay/shared/postgres/transaction.ts';
import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import { appendAudit } from '../db/audit.ts';
import { findOperatorById } from '../db/operators.ts';
import type { Deps } from '../deps.ts';
import { loginKeyOf, type Attempt } from '../sign-in/guards.ts';
import type { AuthCall } from './sign-in.ts';

type Happened = {
  readonly attempt: Attempt;
  /** The caller was already signed in. */
  readonly isOwn: boolean;
  /** The sign-in library's response; absent before it is called. */
  readonly response?: Response;
};

/** Length of the HMAC prefix for an unknown login: enough to see that two attempts were the same. */
const MARKER_LENGTH = 12;

/**
 * Writes one audit row about a sign-in, a sign-out, or a change of a person's own password or second factor: who, from
 * which address, with what, and the result. Never a password or a code, nor what a stranger typed as the login, which
 * may be a password.
 */
export async function recordSignIn(deps: Deps, call: AuthCall, happened: Happened): Promise<void> {
  const { route, clientAddress } = call;
  const { attempt, isOwn, response } = happened;
  // Refused because of rate limits: recording each would let the log grow as fast as somebody sends requests. The
  // failures before it are recorded.
  if (route.kind === 'silent' || response?.status === 429) return;
  if (route.kind === 'sign-out' && !isOwn) return;
  const who = await whoIs(deps, call, attempt);
  const outcome = response === undefined ? undefined : await outcomeOf(response, attempt.reason);
  const isFactor = isOwn && route.actionOfOwn !== undefined;
  await inTransaction(deps.db, (tx) =>
    appendAudit(tx, {
      requestId: currentRequestId() ?? '',
      operator: who.login,
      role: who.role,
      action: isFactor ? (route.actionOfOwn ?? '') : route.action,
      subjectId: who.login,
      kind: response === undefined ? 'ASKED' : 'ANSWERED',
      status: outcome?.status ?? null,
      before: null,
      after: {
        address: clientAddress,
        ...(route.factor === undefined ? {} : { factor: route.factor }),
        ...outcome?.told,
      },
    }),
  );
}

async function whoIs(deps: Deps, { body }: AuthCall, { operatorId }: Attempt) {
  const operator = operatorId === undefined ? undefined : await findOperatorById(deps.db, operatorId);
  if (operator !== undefined) return { login: operator.email, role: operator.role };
  const typed = body?.['email'];
  const marker = typeof typed === 'string' ? loginKeyOf(deps.authSecrets.current, typed, null).slice(0, MARKER_LENGTH) : undefined;
  return { login: marker === undefined ? 'unknown' : `unknown:${marker}`, role: 'none' as const };
}

/** The library's own code for a refusal: a code from its list, not text. */
const CODE = /^[A-Za-z_]{1,64}$/;

async function outcomeOf(response: Response, ours: string | undefined) {
  const told = await bodyOf(response);
  // A browser returning from the company's sign-in is redirected, with a session or with a reason.
  const { searchParams } = new URL(response.headers.get('location') ?? '/', 'http://console.invalid');
  const reason = ours ?? told['code'] ?? searchParams.get('error') ?? undefined;
  const status = response.status === 302 ? (hasSession(response) ? 200 : 401) : response.status;
  return {
    status,
    told: {
      ...(told['twoFactorRedirect'] === true ? { outcome: 'second factor asked for' } : {}),
      ...(status >= 400 && typeof reason === 'string' && CODE.test(reason) ? { reason } : {}),
    },
  };
}

async function bodyOf(response: Response): Promise<Readonly<Record<string, unknown>>> {
  const value: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function hasSession(response: Response): boolean {
  return response.headers.getSetCookie().some((cookie) => /\.session_token=[^;]/.test(cookie));
}
