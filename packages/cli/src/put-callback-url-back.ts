import { clientOf } from './context.ts';

// A process of its own beside `pay callbacks receive --register`: puts the partner's callbackUrl back once the listener has ended,
// however it ended. Its standard input closes then, even if the listener was killed.

const [baseUrl = '', partnerID = '', publicKey = '', privateKeyFile = '', ...addresses] = process.argv.slice(2);
const [listenerUrl = '', callbackUrl = '', returnUrl = ''] = addresses;

process.stdin.resume();
await new Promise((resolve) => process.stdin.once('close', resolve));
const client = clientOf({ baseUrl, partnerID, publicKey, privateKeyFile });
try {
  // Another listener or a person may have changed it meanwhile: then it stays.
  if ((await client.readEndpoints()).callbackUrl === listenerUrl)
    await client.saveEndpoints({ callbackUrl, returnUrl });
} finally {
  client.close();
}
