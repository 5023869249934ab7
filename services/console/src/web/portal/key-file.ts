/** The line that begins a key file of our command line, and of OpenSSL. */
const PKCS8 = /-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----/;

/**
 * The base64 signature of a text by the Ed25519 key in a file (PKCS #8, PEM). The key is read and used in this page by
 * WebCrypto, which cannot give it out again; nothing of it is sent.
 * @throws Error in words for people, if the file is not such a key or this browser cannot sign with it
 */
export async function signWithKeyFile(file: File, text: string): Promise<string> {
  // Missing where the page came by http from another machine: browsers have WebCrypto in secure contexts only.
  if (!window.isSecureContext)
    throw new Error('This browser signs only over https. Sign on your own machine instead (below).');
  const key = await importKey(await file.text());
  const signature = await crypto.subtle.sign('Ed25519', key, new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}

async function importKey(pem: string): Promise<CryptoKey> {
  const base64 = PKCS8.exec(pem)?.[1];
  if (base64 === undefined)
    throw new Error(
      pem.includes('OPENSSH PRIVATE KEY')
        ? 'This is an OpenSSH key file. Convert it with “pay keys convert”, or sign on your own machine (below).'
        : 'This is not a private key file (PKCS #8 in PEM).',
    );
  const bytes = Uint8Array.from(atob(base64.replace(/\s/g, '')), (character) => character.charCodeAt(0));
  try {
    return await crypto.subtle.importKey('pkcs8', bytes, 'Ed25519', false, ['sign']);
  } catch {
    throw new Error('This browser can’t use the key: it must be an Ed25519 key. Or sign on your own machine (below).');
  }
}
