import { isDeepStrictEqual } from 'node:util';
import { OperatorError } from '../../contract/src/operator/errors.ts';
import { OPERATOR_OPERATIONS, type OperatorService } from '../../contract/src/operator/operations.ts';
import type { OperatorOperation } from '../../contract/src/operator/operations/operation.ts';

/** A request that got a response: `path` with or without `/operator`. */
type Asked = { readonly audience: string; readonly method: string; readonly path: string };

/**
 * Checks a response of an operator API against the operator API's document: the status is one of the operation's, and the
 * body has exactly the documented fields. Every call of a test goes through this.
 * @throws Error that names the deviation
 */
export async function checkDescribed({ audience, method, path }: Asked, response: Response): Promise<void> {
  const service = serviceOf(audience);
  const operation = service === undefined ? undefined : operationOf(service, method, path.replace(/^\/operator(?=\/)/, ''));
  if (operation === undefined) return;
  const wrong = (why: string) => new Error(`${method} ${path} deviates from the document: ${why}`);
  const { status } = response;
  const schema = status >= 400 ? OperatorError : Object.entries(operation.answers).find(([one]) => one === String(status))?.[1];
  if (schema === undefined) throw wrong(`status ${String(status)}`);
  if (schema === 'text/csv') return;
  const body: unknown = JSON.parse(await response.text());
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw wrong(parsed.error.message);
  // Parsing strips undocumented fields.
  if (!isDeepStrictEqual(parsed.data, body)) throw wrong(`an undocumented field in ${JSON.stringify(body)}`);
}

const isService = (name: string): name is OperatorService => Object.hasOwn(OPERATOR_OPERATIONS, name);

function serviceOf(audience: string): OperatorService | undefined {
  const name = audience.replace(/-operator$/, '');
  return isService(name) ? name : undefined;
}

/** A literal path segment wins over a parameter in the same position. */
function operationOf(service: OperatorService, method: string, path: string): OperatorOperation | undefined {
  const asked = path.split('/');
  return OPERATOR_OPERATIONS[service]
    .filter((operation) => operation.method === method.toLowerCase())
    .map((operation) => ({ operation, parts: operation.path.split('/') }))
    .filter(({ parts }) => parts.length === asked.length && parts.every((part, n) => part.startsWith('{') || part === asked[n]))
    .sort((a, b) => parametersOf(a.operation) - parametersOf(b.operation))[0]?.operation;
}

const parametersOf = ({ path }: OperatorOperation): number => path.split('{').length;
