import type { Reader } from '@pay/shared/postgres/db.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { notIndependentOf } from '../db/account-changes.ts';
import type { SignedIn } from '../sign-in/session.ts';

/** Who is signed in, as a service is told where he acts: with those whose second person he cannot be. */
export async function vouchFor(reader: Reader, signedIn: SignedIn): Promise<Operator> {
  const { login, role, sessionId, operatorId } = signedIn;
  return { login, role, sessionId, notIndependentOf: await notIndependentOf(reader, operatorId) };
}
