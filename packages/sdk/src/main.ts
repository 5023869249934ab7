// The public API of `@pay/sdk`: the only names that the package guarantees (decisions/sdks). Code in this repository
// imports the file that defines a name.

export { createClient } from './client.ts';
export type { Answer, CallOptions, Client, ClientOptions, RequestInput } from './client.ts';
export { ApiError, NoAnswerError } from './errors.ts';
export type { ErrorDetail } from './errors.ts';
export { everyItem } from './paging.ts';

export { callbackReceiver, signTestCallback, verifyCallback } from './callbacks.ts';
export type { CallbackFault, CallbackHeaders, CallbackKey, VerifiedCallback } from './callback-envelope.ts';
export type { ReceiverOptions } from './receiver.ts';
export type { EventReceipt, EventStore } from './event-store.ts';

export { convertKey, generateKeys, inspectKey } from './keys.ts';
export type { InspectedKey, KeyPair } from './keys.ts';
export { freshMoment, readIdentity, signRequest } from './sign.ts';
export type { Identity, Signed, Unsigned } from './sign.ts';

export * from './types.ts';
export type * from './events.ts';
