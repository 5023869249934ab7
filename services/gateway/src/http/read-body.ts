import type { IncomingMessage } from 'node:http';
import { ApiError } from '@pay/shared/errors/api-error.ts';
import { BODY_BYTES_MAX } from '@pay/shared/http/app.ts';

/** The client disconnected before its request was complete: nobody is left to answer. */
export class ClientGoneError extends Error {
  override readonly name = 'ClientGoneError';
}

const NOTHING = Buffer.alloc(0);

/**
 * The body's bytes exactly as sent.
 * @throws ApiError 413 as soon as it exceeds 64 KiB; the rest is not read
 * @throws ClientGoneError
 */
export function readBody(req: IncomingMessage): Promise<Buffer> {
  const { 'content-length': length, 'transfer-encoding': transfer } = req.headers;
  if (transfer === undefined && (length === undefined || length === '0')) return Promise.resolve(NOTHING);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= BODY_BYTES_MAX) {
        chunks.push(chunk);
        return;
      }
      req.pause();
      reject(new ApiError('PAYLOAD_TOO_LARGE'));
    });
    const onGone = (cause?: Error) => {
      reject(new ClientGoneError('the request broke off', { cause }));
    };
    // The ordinary end: the following `close` should not cost an error with its stack for every request.
    req.once('end', () => {
      req.off('close', onGone);
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks));
    });
    req.once('error', onGone);
    req.once('close', onGone);
  });
}
