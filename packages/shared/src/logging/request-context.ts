import { AsyncLocalStorage } from 'node:async_hooks';

/** What a line of work belongs to: set at the edge, carried through calls, outbox rows and messages. */
export type RequestContext = { readonly requestId: string };

const storage = new AsyncLocalStorage<RequestContext>();

/** Runs `work` so that everything it logs, sends or records carries this request id. */
export function withRequestContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** The request id of the work that is going on, if there is one. */
export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}
