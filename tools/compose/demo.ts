// `docker compose run --rm demo`: onboards the demo partner through the gateway, opens a payment to try in a browser,
// and
// prints what the partner's programs need, including the private key, as JSON on stdout.
import { onboardDemoPartner, openPayment } from '../system/demo.ts';
import { readState } from '../system/state.ts';
import { LAYOUT, SECRETS, SETUP_FOLDER } from './published.ts';

const state = readState(SETUP_FOLDER);
if (state === undefined) throw new Error('run "docker compose up --build --wait" first');
state.callbackSecretFile = `${SECRETS}/demo-receiver/callback-secret.json`;
const urls = { baseUrl: LAYOUT.origin('gateway-1'), receiverUrl: LAYOUT.origin('demo-receiver-1') };
await onboardDemoPartner(state, SETUP_FOLDER, urls);
const { partnerID, publicKey, privateKeyPem, storeID, paymentPoints, beneficiaryRef } = state.partner;
/** The printed JSON. */
export type Demo = typeof demo;
const demo = {
  baseUrl: LAYOUT.publicOrigin('gateway-1'),
  partnerID,
  publicKey,
  privateKeyPem,
  storeID,
  paymentPoints,
  beneficiaryRef,
  paymentUrl: await openPayment(state, urls),
  callbackSecret: state.callbackSecret?.secret,
  callbackKeyId: state.callbackSecret?.keyId,
  bankUrl: LAYOUT.publicOrigin('sandbox-bank-1'),
  bankControlUrl: LAYOUT.publicOrigin('sandbox-bank-1-control'),
  bankControlKey: state.secrets.bankControlKey,
  consoleUrl: LAYOUT.publicOrigin('console-1'),
  portalUrl: LAYOUT.publicOrigin('portal-1'),
  operators: state.operators.map(({ login, password, role }) => ({ login, password, role })),
};
process.stdout.write(`${JSON.stringify(demo, null, 2)}\n`);
