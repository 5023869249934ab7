import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import type { AcquirerResult, RefundResult } from '../../domain/acquiring/acquirer-result.ts';
import { createBankClient, NO_FENCE, type BankCall, type BankClientOptions } from '../bank-client.ts';
import type { Fence } from '../../domain/acquiring/fence.ts';
import type { Authorization, Acquirer, Charge, AcquirerRefund, Order } from '../acquirer.ts';
import { methodCompletion } from '../../domain/acquiring/three-ds.ts';
import { cutDescription } from '../description.ts';
import { withBulkheads } from '../bulkhead.ts';
import { readOperation, readPreparation, readRefundOperation } from './operation.ts';
import { readRegisterPage } from './register.ts';

type Options = BankClientOptions & {
  /** Origin of the bank, such as `http://127.0.0.1:4100`. */
  readonly url: string;
  readonly apiKey: string;
};

export type SandboxBankAcquirer = Acquirer & {
  /** Closes the connections. */
  close(): Promise<void>;
};

/** The connector to the sandbox bank, over HTTP. */
export function createSandboxBankAcquirer(options: Options): SandboxBankAcquirer {
  const client = createBankClient(options);
  const call = (path: string, body?: object) => callOf(options, path, body);
  /** A call that moves money or changes an order. */
  const post = (verb: 'authorize' | 'cancel', operationId: string, body: object, fence: Fence) =>
    client
      .begin(fence)
      .move(verb, call(`/v1/orders/${operationId}/${verb}`, body), (word) => readOperation(word, { operationId, creates: false }));
  const create = (operation: string, path: string, body: Created, fence: Fence): Promise<AcquirerResult> =>
    client.begin(fence).move(operation, call(path, body), (word) => readOperation(word, { operationId: body.operationId, creates: true }));
  const read = (operationId: string): Promise<AcquirerResult> =>
    client
      .begin(NO_FENCE)
      .ask('read', call(`/v1/operations/${operationId}`), (word) => readOperation(word, { operationId, creates: false }));

  return withBulkheads({
    takesReceipts: false,
    get isAvailable() {
      return client.isAvailable();
    },
    register: (order, fence) => create('register', '/v1/orders', orderOf(order, 'CARD'), fence),
    createQr: (order, fence) => create('create-qr', '/v1/orders', orderOf(order, 'SBP'), fence),
    prepareThreeDs: (operationId, card) =>
      client.begin(NO_FENCE).ask('prepare-three-ds', call(`/v1/orders/${operationId}/three-ds`, { card }), readPreparation),
    authorize: (authorization, fence) => post('authorize', authorization.operationId, authorizationOf(authorization), fence),
    confirmThreeDs: (operationId) => read(operationId),
    charge: (charge, fence) => create('charge', '/v1/charges', chargeOf(charge), fence),
    read: (operationId) => read(operationId),
    readRefund: ({ operationId }) =>
      client
        .begin(NO_FENCE)
        .ask('read-refund', call(`/v1/operations/${operationId}`), (word) => readRefundOperation(word, { operationId, creates: false })),
    refund: ({ operationId, originalOperationId, amountKopecks }: AcquirerRefund, fence): Promise<RefundResult> => {
      const body = { operationId, originalOperationId, amountKopecks: amountKopecks.toString() };
      return client
        .begin(fence)
        .move('refund', call('/v1/refunds', body), (word) => readRefundOperation(word, { operationId, creates: true }));
    },
    cancelOthers: (operationId) => read(operationId),
    cancel: (operationId, fence) => post('cancel', operationId, {}, fence),
    readRegister: (day, after) => {
      const query = new URLSearchParams({ date: day, limit: '500', ...(after === undefined ? {} : { after }) });
      return client.begin(NO_FENCE).ask('read-register', call(`/v1/register?${query.toString()}`), readRegisterPage);
    },
    close: () => client.close(),
  });
}

/** The body of a call that creates an operation. */
type Created = Readonly<Record<string, unknown>> & { readonly operationId: string };

function orderOf(order: Order, method: 'CARD' | 'SBP'): Created {
  return {
    operationId: order.operationId,
    amountKopecks: order.amountKopecks.toString(),
    currency: 'RUB',
    description: cutDescription(order.description),
    method,
    expiresAt: order.expiresAt.toISOString(),
    returnUrl: order.returnUrl,
  };
}

function authorizationOf({ card, saveCard, whenNotAuthenticated, prepared, isMethodDone, buyer }: Authorization) {
  return {
    card,
    saveCard,
    whenNotAuthenticated,
    ...(prepared === undefined ? {} : { threeDsCompInd: methodCompletion(prepared, isMethodDone === true) }),
    ...(buyer === undefined ? {} : { buyer }),
  };
}

function chargeOf({ operationId, amountKopecks, description, cardToken }: Charge): Created {
  return {
    operationId,
    amountKopecks: amountKopecks.toString(),
    currency: 'RUB',
    description: cutDescription(description),
    cardToken,
    initiator: 'MERCHANT',
    recurring: true,
  };
}

function callOf({ url, apiKey }: Options, path: string, body: object | undefined): BankCall {
  const requestId = currentRequestId();
  return {
    method: body === undefined ? 'GET' : 'POST',
    url: `${url}${path}`,
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}
