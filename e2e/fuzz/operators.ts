import { OPERATOR_OPERATIONS } from '../../packages/contract/src/operator/operations.ts';
import { DAYS_OUT_OF_RANGE, faultsOfOddReads, MOMENTS_OUT_OF_RANGE } from '../../packages/contract/test/odd-values.ts';
import { AuditQuery } from '../../services/console/src/http/list-audit.ts';
import type { World } from '../world.ts';

/** What was asked as an administrator, and every answer that is wrong. */
export type OperatorsFuzzed = { readonly asked: number; readonly faults: readonly string[] };

/** Asks each read of the console for each odd value, and sends what is none as a moment or a day of a command. */
export async function fuzzOperators(world: World): Promise<OperatorsFuzzed> {
  const { consoleUrl } = world.system.addresses;
  const { origin } = new URL(consoleUrl);
  const administrator = world.system.state().operators.find(({ role }) => role === 'admin');
  if (administrator === undefined) throw new Error('the system has no administrator');
  const { login, password } = administrator;
  let [cookie, asked] = ['', 0];
  const call = async (method: string, target: string, body?: unknown) => {
    asked += 1;
    const response = await fetch(`${consoleUrl}${target}`, {
      method,
      headers: { origin, cookie, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text.startsWith('{') ? (JSON.parse(text) as unknown) : text,
    };
  };
  const signedIn = await call('POST', '/api/auth/sign-in/email', { email: login, password });
  cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ');
  if (signedIn.status !== 200) throw new Error(`${login} was not signed in: ${String(signedIn.status)}`);

  const reads = Object.entries(OPERATOR_OPERATIONS).flatMap(([service, operations]) =>
    operations.map((operation) => ({ ...operation, path: `/api/${service}${operation.path}` })),
  );
  const own = ['/api/audit', '/api/audited-actions'].map((path) => ({ method: 'get', path, query: AuditQuery }));
  const faults = [...(await faultsOfOddReads([...reads, ...own], (target) => call('GET', target)))];
  const commands = [
    ...DAYS_OUT_OF_RANGE.map((date) => ['/api/payments/reconciliations', { routeId: 'sandbox-bank', date }] as const),
    ...MOMENTS_OUT_OF_RANGE.map(
      (from) => ['/api/notifier/replays', { partnerId: world.partner.partnerID, from, to: '2026-11-28T00:00:00Z' }] as const,
    ),
    ...MOMENTS_OUT_OF_RANGE.map((upTo) => ['/api/notifier/dead-letters/redrive', { upTo }] as const),
  ];
  for (const [target, body] of commands) {
    const answer = await call('POST', target, body);
    if (answer.status !== 400)
      faults.push(`${String(answer.status)} POST ${target} ${JSON.stringify(body)} ${JSON.stringify(answer.body)}`);
  }
  return { asked, faults };
}
