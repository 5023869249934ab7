import { COMPANY } from './auth.ts';

/** A reachable route of the sign-in library, and what a call of it writes to the audit log. */
export type AuthRoute = {
  readonly method: 'GET' | 'POST';
  /** Below `AUTH_PATH`. */
  readonly path: string;
  /**
   * `sign-in`: one row with the result. `change`: one row before and one after. `silent`: none, because nothing
   * happens.
   */
  readonly kind: 'sign-in' | 'sign-out' | 'change' | 'silent';
  /** Its name in the audit log. */
  readonly action: string;
  /** What is presented to sign in. */
  readonly factor?: string;
  /** If the caller is already signed in, the same call is about their own second factor. */
  readonly actionOfOwn?: string;
  /** The body's field with the current password, which is guarded as at sign-in. */
  readonly password?: 'password' | 'currentPassword';
  /** Allowed before a first password is changed. */
  readonly withFirstPassword?: true;
};

const SIGN_IN = { kind: 'sign-in', action: 'session.sign-in' } as const;

/** Nothing else of the library (registration, changing one's address) exists. */
export const AUTH_ROUTES: readonly AuthRoute[] = [
  { method: 'POST', path: '/sign-in/email', ...SIGN_IN, factor: 'password' },
  { method: 'POST', path: '/sign-in/social', kind: 'silent', action: 'session.sign-in' },
  { method: 'GET', path: `/callback/${COMPANY}`, ...SIGN_IN, factor: 'company' },
  { method: 'POST', path: '/sign-out', kind: 'sign-out', action: 'session.sign-out', withFirstPassword: true },
  {
    method: 'POST',
    path: '/change-password',
    kind: 'change',
    action: 'password.change',
    password: 'currentPassword',
    withFirstPassword: true,
  },
  { method: 'POST', path: '/two-factor/enable', kind: 'change', action: 'factor.set-up', password: 'password' },
  { method: 'POST', path: '/two-factor/verify-totp', ...SIGN_IN, factor: 'code', actionOfOwn: 'factor.confirm' },
  {
    method: 'POST',
    path: '/two-factor/verify-backup-code',
    ...SIGN_IN,
    factor: 'paper code',
    actionOfOwn: 'factor.confirm',
  },
  {
    method: 'POST',
    path: '/two-factor/generate-backup-codes',
    kind: 'change',
    action: 'factor.paper-codes',
    password: 'password',
  },
  { method: 'GET', path: '/passkey/generate-authenticate-options', kind: 'silent', action: 'session.sign-in' },
  { method: 'POST', path: '/passkey/verify-authentication', ...SIGN_IN, factor: 'passkey' },
  { method: 'GET', path: '/passkey/generate-register-options', kind: 'silent', action: 'factor.add-passkey' },
  { method: 'POST', path: '/passkey/verify-registration', kind: 'change', action: 'factor.add-passkey' },
  { method: 'GET', path: '/passkey/list-user-passkeys', kind: 'silent', action: 'factor.add-passkey' },
  { method: 'POST', path: '/passkey/delete-passkey', kind: 'change', action: 'factor.remove-passkey' },
  { method: 'POST', path: '/two-factor/disable', kind: 'change', action: 'factor.remove', password: 'password' },
];
