// First container of `docker compose up`: generates all keys and passwords at the first start, and gives each program a
// volume with only its own configuration. No secret is in an image, in the compose file or in its environment.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { brokerDefinitions, brokerUrls } from '../infrastructure/broker.ts';
import { writePrivate } from '../infrastructure/files.ts';
import { withAdministrator } from '../infrastructure/rabbitmq.ts';
import { SERVICES, serviceUrls, type ServiceName } from '../infrastructure/provision.ts';
import { environmentOf } from '../system/environment.ts';
import { newState, readState, writeState, type ProgramName } from '../system/state.ts';
import { LAYOUT, SECRETS, SETUP_FOLDER } from './published.ts';

function password(program: string): string {
  const file = `${SECRETS}/${program}/password`;
  if (!existsSync(file)) writePrivate(file, randomBytes(24).toString('hex'));
  return readFileSync(file, 'utf8');
}

const state = readState(SETUP_FOLDER) ?? newState();
const adminUrl = `postgres://pay_admin:${password('postgres')}@postgres:5432/postgres`;
state.infrastructure = {
  rung: 3,
  databaseUrl: adminUrl,
  amqpUrl: `amqp://pay_admin:${password('rabbitmq')}@rabbitmq:5672`,
};
state.databaseUrls = serviceUrls({
  adminUrl,
  database: 'pay',
  rolePrefix: '',
  passwordOf: (service) => state.secrets.databasePasswords[service],
});
const brokerPlan = {
  vhost: '/',
  userPrefix: '',
  passwordOf: (service: ServiceName) => state.secrets.brokerPasswords[service],
};
state.brokerUrls = brokerUrls(state.infrastructure.amqpUrl, brokerPlan);
// The broker creates users, rights and topology from it at each start, even after a reset.
const definitions = withAdministrator(password('rabbitmq'), brokerDefinitions(brokerPlan));
writePrivate(`${SECRETS}/rabbitmq/definitions.json`, JSON.stringify(definitions));
state.callbackSecretFile = `${SECRETS}/own/callback-secret.json`;
writeState(SETUP_FOLDER, state);

const programs: readonly ProgramName[] = [...SERVICES, 'checkout', 'portal', 'demo-receiver'];
for (const program of programs) {
  const lines = Object.entries(environmentOf(state, LAYOUT, program, 1)).map(([name, value]) => `${name}=${value}`);
  writePrivate(`${SECRETS}/${program}/service.env`, `${lines.join('\n')}\n`);
}
process.stdout.write(`keys and configuration of ${String(programs.length)} programs are in place\n`);
