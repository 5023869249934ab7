import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

/**
 * Posts a callback to a receiver as the service does: to exactly this address, past informational responses, which `fetch`
 * takes for the end of the connection (RFC 9110 15.2), and after no redirect. Resolves with the status at the last byte.
 * @throws Error without a whole response; `TimeoutError` after `deadlineMs`
 */
export async function post(url: string, headers: Readonly<Record<string, string>>, body: Buffer, deadlineMs: number): Promise<number> {
  const open = new URL(url).protocol === 'https:' ? httpsRequest : httpRequest;
  const signal = AbortSignal.timeout(deadlineMs);
  return new Promise<number>((resolve, reject) => {
    const request = open(url, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'Content-Length': String(body.length) },
    });
    // Not an option of the request: its error would hide why.
    signal.addEventListener('abort', () => {
      const reason: unknown = signal.reason;
      request.destroy(reason instanceof Error ? reason : undefined);
    });
    request.once('error', reject);
    request.once('response', (response) => {
      response.once('error', reject);
      response.once('end', () => {
        resolve(response.statusCode ?? 0);
      });
      response.resume();
    });
    request.end(body);
  });
}
