import { currentRequestId } from '@pay/shared/logging/request-context.ts';
import type { ChannelResult, RefundResult } from '../../domain/channel-result.ts';
import { createBankClient, type BankCall, type BankClientOptions } from '../bank-client.ts';
import type { Authorization, Channel, Charge, ChannelRefund, Order } from '../channel.ts';
import { cutDescription } from '../description.ts';
import { readOperation, readRefundOperation } from './operation.ts';
import { readRegisterPage } from './register.ts';

type Options = BankClientOptions & {
  /** Origin of the bank, such as `http://127.0.0.1:4100`. */
  readonly url: string;
  readonly apiKey: string;
};

export type SandboxBankChannel = Channel & {
  /** Closes the connections. */
  close(): Promise<void>;
};

/** The connector to the sandbox bank, over HTTP. */
export function createSandboxBankChannel(options: Options): SandboxBankChannel {
  const client = createBankClient(options);
  const { send } = client;
  const call = (path: string, body?: object) => callOf(options, path, body);
  const post = (operation: string, path: string, body: object): Promise<ChannelResult> =>
    send(operation, call(path, body), ({ status, text }) => readOperation(status, parse(text), false));
  const create = (operation: string, path: string, body: object): Promise<ChannelResult> =>
    send(operation, call(path, body), ({ status, text }) => readOperation(status, parse(text), true));
  const register = (order: Order, method: 'CARD' | 'SBP') =>
    create(method === 'CARD' ? 'register' : 'create-qr', '/v1/orders', {
      operationId: order.operationId,
      amountKopecks: order.amountKopecks.toString(),
      currency: 'RUB',
      description: cutDescription(order.description),
      method,
      expiresAt: order.expiresAt.toISOString(),
      returnUrl: order.returnUrl,
    });
  const read = (operationId: string): Promise<ChannelResult> =>
    send('read', call(`/v1/operations/${operationId}`), ({ status, text }) =>
      readOperation(status, parse(text), false),
    );

  return {
    get isAvailable() {
      return client.isAvailable();
    },
    register: (order) => register(order, 'CARD'),
    createQr: (order) => register(order, 'SBP'),
    authorize: ({ operationId, card, saveCard }: Authorization) =>
      post('authorize', `/v1/orders/${operationId}/authorize`, { card, saveCard }),
    confirmThreeDs: read,
    charge: ({ operationId, amountKopecks, description, cardToken }: Charge) =>
      create('charge', '/v1/charges', {
        operationId,
        amountKopecks: amountKopecks.toString(),
        currency: 'RUB',
        description: cutDescription(description),
        cardToken,
        initiator: 'MERCHANT',
        recurring: true,
      }),
    read,
    readRefund: ({ operationId }) =>
      send('read-refund', call(`/v1/operations/${operationId}`), ({ status, text }) =>
        readRefundOperation(status, parse(text), false),
      ),
    refund: ({ operationId, originalOperationId, amountKopecks }: ChannelRefund): Promise<RefundResult> => {
      const body = { operationId, originalOperationId, amountKopecks: amountKopecks.toString() };
      return send('refund', call('/v1/refunds', body), ({ status, text }) =>
        readRefundOperation(status, parse(text), true),
      );
    },
    cancel: (operationId) => post('cancel', `/v1/orders/${operationId}/cancel`, {}),
    readRegister: (day, after) => {
      const query = new URLSearchParams({ date: day, limit: '500', ...(after === undefined ? {} : { after }) });
      return send('read-register', call(`/v1/register?${query.toString()}`), ({ status, text }) =>
        readRegisterPage(status, parse(text)),
      );
    },
    close: () => client.close(),
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
