import { AsyncLocalStorage } from 'node:async_hooks';

/** The context of a unit of work: set at the edge, passed on in calls, outbox rows and messages. */
export type RequestContext = { readonly requestId: string };

const storage = new AsyncLocalStorage<RequestContext>();
const changing = new WeakSet<RequestContext>();
const partners = new WeakMap<RequestContext, string>();

/** Runs `work` so that everything it logs, sends or records has this request id. */
export function withRequestContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}

/** The request id of the current work, if there is one. */
export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}

/** Remembers that the current work has committed a transaction: what fails after it did not leave everything as it was. */
export function noteCommit(): void {
  const context = storage.getStore();
  if (context !== undefined) changing.add(context);
}

/** Whether `noteCommit` was called in the current work. */
export function hasCommitted(): boolean {
  const context = storage.getStore();
  return context !== undefined && changing.has(context);
}

/** Remembers that the current work is a partner's call. */
export function notePartner(partner: string): void {
  const context = storage.getStore();
  if (context !== undefined) partners.set(context, partner);
}

/** Whose call the current work is for; undefined for staff, buyers, and work that nobody called for. */
export function currentPartner(): string | undefined {
  const context = storage.getStore();
  return context === undefined ? undefined : partners.get(context);
}
