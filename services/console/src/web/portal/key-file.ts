import { pkcs8Of, secretOfText } from '@pay/signing/key-text.ts';

/**
 * The base64 signature of a text by the private key in a file. The key is read and used in this page by WebCrypto, which
 * cannot give it out again; nothing of it is sent.
 * @throws Error in words for people, if the file is not such a key or this browser cannot sign with it
 */
export async function signWithKeyFile(file: Blob, text: string): Promise<string> {
  // Missing where the page came by http from another machine: browsers have WebCrypto in secure contexts only.
  if (!window.isSecureContext) throw new Error('This browser signs only over https. Sign on your own machine instead (below).');
  const pkcs8 = pkcs8Of(secretOfText(await file.text()));
  const key = await crypto.subtle.importKey('pkcs8', pkcs8, 'Ed25519', false, ['sign']).catch(() => {
    throw new Error('This browser can’t sign with an Ed25519 key. Sign on your own machine instead (below).');
  });
  const signature = await crypto.subtle.sign('Ed25519', key, new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}
