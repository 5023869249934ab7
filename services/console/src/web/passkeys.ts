import { post, read } from './api.ts';
import { t } from './text.ts';

/** A passkey as its owner sees it. */
export type Passkey = { readonly id: string; readonly deviceType: string; readonly createdAt: string };

export const PASSKEYS_PATH = '/api/auth/passkey/list-user-passkeys';

/**
 * Lets the browser create a passkey with user verification, and registers its public key. @throws Error if there is
 * none
 */
export async function addPasskey(): Promise<void> {
  const options = await read<PublicKeyCredentialCreationOptionsJSON>('/api/auth/passkey/generate-register-options');
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const response = jsonOf(await navigator.credentials.create({ publicKey }).catch(refused));
  await post('/api/auth/passkey/verify-registration', { response });
}

/** Lets the browser sign in with a passkey for this site. @throws Error if there is none */
export async function signInWithPasskey(): Promise<void> {
  const options = await read<PublicKeyCredentialRequestOptionsJSON>('/api/auth/passkey/generate-authenticate-options');
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON({ ...options, userVerification: 'required' });
  const response = jsonOf(await navigator.credentials.get({ publicKey }).catch(refused));
  await post('/api/auth/passkey/verify-authentication', { response });
}

export const removePasskey = (id: string): Promise<unknown> => post('/api/auth/passkey/delete-passkey', { id });

const IP_ADDRESS = /^[\d.]+$|^\[/;

/** Whether passkeys are possible: in this browser, and for this host, which must have a name. */
export const hasPasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' &&
  'parseCreationOptionsFromJSON' in PublicKeyCredential &&
  !IP_ADDRESS.test(window.location.hostname);

/** In our words: the browser's own error says very little at great length (WebAuthn, 14.5). */
function refused(): never {
  throw new Error(t('The device did not provide a passkey: it has none for this site, or the request was declined'));
}

function jsonOf(credential: Credential | null): unknown {
  if (!(credential instanceof PublicKeyCredential)) throw new Error(t('The browser did not provide a passkey'));
  return credential.toJSON();
}
