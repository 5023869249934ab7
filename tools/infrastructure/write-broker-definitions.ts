import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { brokerDefinitions } from './broker.ts';

// Prints the users, rights and queues of a broker (decisions/broker-trust) as RabbitMQ imports them. Reads the
// passwords from stdin: {"bindings":"…","notifier":"…","payments":"…","withdrawals":"…"}. docs/operate/deploy/README.md says
// where it is used.
const password = z.string().min(16);
const Passwords = z.object({ bindings: password, notifier: password, payments: password, withdrawals: password });

const passwords = Passwords.parse(await json(process.stdin));
const definitions = brokerDefinitions({ vhost: '/', userPrefix: '', passwordOf: (service) => passwords[service] });
process.stdout.write(`${JSON.stringify(definitions, null, 2)}\n`);
