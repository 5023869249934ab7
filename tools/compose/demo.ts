// `docker compose run --rm demo`: what npm start does at its end. Onboards the demo partner through the gateway, makes
// one payment, and prints what his programs need, his private key included, as JSON on stdout.
import { onboardDemoPartner, payOnce } from '../system/demo.ts';
import { readState } from '../system/state.ts';
import { LAYOUT, SECRETS, SETUP_FOLDER } from './published.ts';

const state = readState(SETUP_FOLDER);
if (state === undefined) throw new Error('run "docker compose up --build --wait" first');
state.callbackSecretFile = `${SECRETS}/demo-receiver/callback-secret.json`;
const doors = { baseUrl: LAYOUT.origin('gateway-1'), receiverUrl: LAYOUT.origin('demo-receiver-1') };
await onboardDemoPartner(state, SETUP_FOLDER, doors);
if (!process.argv.includes('--no-payment')) {
  await payOnce(state, doors, (line) => process.stderr.write(`${line}\n`));
}
const { partnerID, publicKey, privateKeyPem, storeID, paymentPoints } = state.partner;
const demo = {
  baseUrl: LAYOUT.publicOrigin('gateway-1'),
  partnerID,
  publicKey,
  privateKeyPem,
  storeID,
  paymentPoints,
  callbackSecret: state.callbackSecret?.secret,
  callbackKeyId: state.callbackSecret?.keyId,
};
process.stdout.write(`${JSON.stringify(demo, null, 2)}\n`);
