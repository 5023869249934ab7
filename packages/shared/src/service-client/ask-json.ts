import { currentRequestId } from '../logging/request-context.ts';
import type { ServiceClient, ServiceCall } from './service-client.ts';

/** A repeatable call between two services with JSON bodies. */
export type JsonCall = Pick<ServiceCall, 'lane' | 'operation' | 'path' | 'partnerId' | 'deadlineMs'> & {
  readonly method: 'GET' | 'POST';
  /** Sent as JSON. */
  readonly body?: unknown;
};

/**
 * Calls a service on behalf of the current request. Returns what `read` makes of the response's status and JSON.
 * @throws as `ServiceClient.ask`
 */
export function askJson<T>(
  client: ServiceClient,
  { body, ...call }: JsonCall,
  read: (status: number, answer: unknown) => T,
): Promise<T> {
  const requestId = currentRequestId();
  return client.ask(
    {
      ...call,
      mayRepeat: true,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    },
    (answer) => read(answer.status, JSON.parse(answer.body.toString())),
  );
}
