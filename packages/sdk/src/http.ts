import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** A response as received. Header names are in lower case. */
export type RawAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Each line of its Retry-After: `headers` has the first alone. */
  readonly retryAfter: readonly string[];
  readonly body: Buffer;
};

/** One attempt: the target is sent byte for byte, because exactly these bytes are signed. */
export type Attempt = {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
};

export type Connection = { send(attempt: Attempt): Promise<RawAnswer>; close(): void };

/** Responses of this API are far smaller; a larger one is not from our service. */
const ANSWER_BYTES_MAX = 8 * 1024 * 1024;

/**
 * The target is signed as the server will see it, so the base URL must not add a path.
 * @throws Error if it is not an origin
 */
export function readOrigin(baseUrl: string): URL {
  const url = new URL(baseUrl);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw new Error('baseUrl must be an http(s) address');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new Error('baseUrl must be an origin without a path, such as https://api.example');
  }
  return url;
}

/** Kept-alive connections to one origin. `fetch` is not used: it rewrites the target, and a signature covers it. */
export function connectTo(origin: URL): Connection {
  const isTls = origin.protocol === 'https:';
  const agent = isTls ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true });
  const open = isTls ? httpsRequest : httpRequest;
  return {
    close: () => {
      agent.destroy();
    },
    send: ({ method, target, headers, body, timeoutMs, signal }) =>
      new Promise((resolve, reject) => {
        const deadline = AbortSignal.timeout(timeoutMs);
        const request = open({
          agent,
          host: origin.hostname.replace(/^\[|\]$/g, ''),
          port: origin.port === '' ? (isTls ? 443 : 80) : Number(origin.port),
          method,
          path: target,
          headers: { ...headers, 'Content-Length': String(body.length) },
          signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
        });
        request.once('error', reject);
        request.once('response', (response) => {
          collect(response).then(resolve, reject);
        });
        request.end(body);
      }),
  };
}

async function collect(response: IncomingMessage): Promise<RawAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    if (!Buffer.isBuffer(chunk)) throw new Error('the response is not bytes');
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new Error('the response is too large');
    chunks.push(chunk);
  }
  const { statusCode: status = 0, headers } = response;
  if (status < 300 && headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    throw new Error('the response has neither a length nor chunks: it may have been cut');
  }
  const retryAfter = response.headersDistinct['retry-after'] ?? [];
  return { status, headers, retryAfter, body: Buffer.concat(chunks) };
}
