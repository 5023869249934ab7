import type { Reader } from '@pay/shared/postgres/db.ts';
import type { Operator } from '@pay/shared/operators/operator-identity.ts';
import { notIndependentOf } from '../db/account-changes.ts';
import type { SignedIn } from '../sign-in/session.ts';

/** The signed-in operator as reported to a service, with the logins that they cannot be a second person for. */
export async function vouchFor(reader: Reader, signedIn: SignedIn): Promise<Operator> {
  const { login, role, sessionId, operatorId } = signedIn;
  return { login, role, sessionId, notIndependentOf: await notIndependentOf(reader, operatorId) };
}
