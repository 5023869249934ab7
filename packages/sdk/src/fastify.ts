import type { IncomingMessage, ServerResponse } from 'node:http';
import { callbackReceiver } from './callbacks.ts';
import type { ReceiverOptions } from './receiver.ts';

/** The parts of a Fastify instance that are used: this client depends on no framework. */
export type FastifyScope = {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: string,
    parser: (request: unknown, payload: unknown, done: (error: null, body?: undefined) => void) => void,
  ): unknown;
  post(
    path: string,
    handler: (request: { readonly raw: IncomingMessage }, reply: { readonly raw: ServerResponse; hijack(): unknown }) => Promise<void>,
  ): unknown;
};

/**
 * A Fastify plugin with one route, `POST path`, that responds as `callbackReceiver` does. The parsers of the rest of your
 * application are unaffected; no parser touches the body of this route.
 */
export function callbackPlugin<Transaction>(path: string, options: ReceiverOptions<Transaction>): (scope: FastifyScope) => Promise<void> {
  const receive = callbackReceiver(options);
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => {
      done(null);
    });
    scope.post(path, async (request, reply) => {
      reply.hijack();
      await receive(request.raw, reply.raw);
    });
    await Promise.resolve();
  };
}
