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
 * `mayBeElsewhere`: another replica may have received the call, too, so a refusal does not say that nothing was done.
 * @throws as `ServiceClient.ask`
 */
export function askJson<T>(
  client: ServiceClient,
  { body, ...call }: JsonCall,
  read: (status: number, answer: unknown, mayBeElsewhere: boolean) => T,
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
    ({ status, body: text, mayBeElsewhere }) => read(status, JSON.parse(text.toString()), mayBeElsewhere),
  );
}
