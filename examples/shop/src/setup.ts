// npm run setup: tells the service where the shop is, and fetches the callback secret. Once for an account; a repeat
// saves the addresses again.
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from './client.ts';
import { readConfig } from './config.ts';

const config = readConfig(process.env);
const client = connect(config);
const { shopUrl, callbackSecretFile, partnerId } = config;
await client.saveEndpoints({ callbackUrl: `${shopUrl}/callbacks`, returnUrl: `${shopUrl}/return` });
if (!existsSync(callbackSecretFile)) {
  // The key is fixed: if the answer is lost, a repeat within five minutes gets the same secret.
  const secret = await client.issueCallbackSecret({ confirmSecureStorage: true }, { idempotencyKey: `shop-setup-${partnerId}` });
  writeFileSync(callbackSecretFile, JSON.stringify(secret), { mode: 0o600 });
}
client.close();
console.log(`Callbacks go to ${shopUrl}/callbacks, their secret is in ${callbackSecretFile}.`);
