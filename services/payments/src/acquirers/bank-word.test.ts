import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog } from '@pay/shared/logging/logger.ts';
import { startTestBank, type BankCall, type TestBank } from '../../test/bank.ts';
import { FOREIGN_ANSWERS, type ForeignAnswer } from '../../test/foreign-answers.ts';
import { startTestTBank, type TestTBank } from '../../test/t-bank.ts';
import { unfenced, type Unfenced } from '../../test/unfenced.ts';
import { BankFault, bankWordOf } from './bank-word.ts';
import { createSandboxBankAcquirer } from './sandbox-bank/sandbox-bank-acquirer.ts';
import { createTBankAcquirer } from './t-bank/t-bank-acquirer.ts';

const log = createLog('test', 'silent');
const order = (operationId: string) => ({
  operationId,
  amountKopecks: 10_000n,
  description: 'Tea',
  expiresAt: new Date('2099-01-01T00:00:00Z'),
  returnUrl: 'https://form.example/return',
});
const card = (number: string) => ({ number, expiryMonth: 1, expiryYear: 2099, cvv: '123' });
const authorization = (operationId: string, number: string) => ({
  operationId,
  card: card(number),
  saveCard: true,
  returnUrl: 'https://form.example/return',
});

describe('the bank’s own word', () => {
  const own = { operationId: '1' };
  const raw = (change: object = {}) => ({
    status: 200,
    contentType: 'application/json' as string | undefined,
    body: Buffer.from(JSON.stringify(own)),
    ...change,
  });

  it.each([
    ['JSON', raw()],
    ['its own refusal', raw({ status: 404 })],
    ['JSON with a character set', raw({ contentType: 'application/json; charset=utf-8' })],
    ['JSON in capitals', raw({ contentType: 'Application/JSON;charset=UTF-8' })],
    ['JSON behind a byte order mark', raw({ body: Buffer.from(`\uFEFF${JSON.stringify(own)}`) })],
  ])('%s is it', (_name, answer) => {
    expect(bankWordOf(answer)).toEqual({ status: answer.status, body: own });
  });

  it.each([100, 201, 202, 204, 301, 302, 307, 401, 403, 407, 408, 421, 423, 425, 429, 500, 503, 599])(
    'nothing with status %i is it (V2)',
    (status) => {
      expect(() => bankWordOf(raw({ status }))).toThrow(BankFault);
    },
  );
});

/** One call at the bank, and what has to be there before it. */
type Operation = {
  readonly name: string;
  readonly call: string;
  readonly prepare: (own: Unfenced) => Promise<(here: Unfenced) => Promise<{ readonly kind: string }>>;
};
function operation<Before>(
  name: string,
  call: string,
  before: (own: Unfenced) => Promise<Before>,
  run: (here: Unfenced, found: Before) => Promise<{ readonly kind: string }>,
): Operation {
  return {
    name,
    call,
    async prepare(own) {
      const found = await before(own);
      return (here) => run(here, found);
    },
  };
}

/** Whatever came in the place of the bank's answer, each operation says that it does not know. */
function foreignAnswers(
  name: string,
  operations: readonly Operation[],
  bank: () => {
    readonly acquirer: () => Unfenced;
    readonly answerWith: (call: string, answer: ((res: ServerResponse, own: object) => void) | undefined) => void;
  },
): void {
  it.each(FOREIGN_ANSWERS)(`${name}: $name: every operation is unknown (V2)`, async ({ send }: ForeignAnswer) => {
    const { acquirer, answerWith } = bank();
    const own = acquirer();
    const told: Record<string, string> = {};
    for (const { name: called, call, prepare } of operations) {
      const run = await prepare(own);
      // Of its own: none of these may find the breaker open.
      const here = acquirer();
      answerWith(call, send);
      told[called] = (await run(here)).kind;
      answerWith(call, undefined);
      await here.close();
    }
    await own.close();
    expect(told).toEqual(Object.fromEntries(operations.map(({ name: called }) => [called, 'unknown'])));
  });
}

describe('what somebody else answers in the bank’s place', () => {
  let sandbox: TestBank;
  let tBank: TestTBank;
  beforeAll(async () => {
    sandbox = await startTestBank();
    tBank = await startTestTBank();
  });
  afterAll(async () => {
    await sandbox.close();
    await tBank.close();
  });

  const refundOf = (originalOperationId: string, operationId: string = randomUUID()) => ({
    operationId,
    originalOperationId,
    amountKopecks: 100n,
  });
  async function paid(own: Unfenced, number: string): Promise<string> {
    const operationId = randomUUID();
    await own.register({ ...order(operationId), savesCard: true });
    await own.authorize(authorization(operationId, number));
    return operationId;
  }
  async function registered(own: Unfenced): Promise<string> {
    const operationId = randomUUID();
    await own.register(order(operationId));
    return operationId;
  }
  async function tokenOf(own: Unfenced, number: string): Promise<string> {
    const operationId = randomUUID();
    await own.register({ ...order(operationId), savesCard: true });
    const result = await own.authorize(authorization(operationId, number));
    return String(result.kind === 'confirmed' ? result.card.token : null);
  }

  const newId = () => Promise.resolve(randomUUID());
  const charge = (cardToken: string) => ({
    operationId: randomUUID(),
    amountKopecks: 1n,
    description: 'Tea',
    cardToken,
  });
  async function refunded(own: Unfenced, number: string) {
    const wanted = refundOf(await paid(own, number));
    await own.refund(wanted);
    return wanted;
  }

  const VISA = '4111111111111111';
  const SANDBOX = [
    operation('register', 'register', newId, (here, id) => here.register(order(id))),
    operation('createQr', 'register', newId, (here, id) => here.createQr(order(id))),
    operation('prepareThreeDs', 'three-ds', registered, (here, id) => here.prepareThreeDs(id, card(VISA))),
    operation('authorize', 'authorize', registered, (here, id) => here.authorize(authorization(id, VISA))),
    operation('confirmThreeDs', 'read', registered, (here, id) => here.confirmThreeDs(id)),
    operation(
      'charge',
      'charge',
      (own) => tokenOf(own, VISA),
      (here, token) => here.charge(charge(token)),
    ),
    operation('read', 'read', registered, (here, id) => here.read(id)),
    operation(
      'refund',
      'refund',
      (own) => paid(own, VISA),
      (here, id) => here.refund(refundOf(id)),
    ),
    operation(
      'readRefund',
      'read',
      (own) => refunded(own, VISA),
      (here, wanted) => here.readRefund(wanted),
    ),
    operation('cancel', 'cancel', registered, (here, id) => here.cancel(id)),
    operation('cancelOthers', 'read', registered, (here, id) => here.cancelOthers(id, 'x')),
    operation('readRegister', 'read-register', newId, async (here) => {
      if (here.readRegister === undefined) throw new Error('this bank has a register');
      return here.readRegister('2026-11-21');
    }),
  ];
  foreignAnswers('the sandbox bank', SANDBOX, () => ({
    acquirer: () => unfenced(createSandboxBankAcquirer({ url: sandbox.url, apiKey: sandbox.apiKey, routeId: randomUUID(), log })),
    answerWith(call, send) {
      const when = call === 'read-register' ? 'before' : 'after';
      const own = { operations: [], next: null };
      sandbox.interrupt(
        call as BankCall,
        when,
        send === undefined
          ? undefined
          : ({ res, operation: found }) => {
              send(res, found ?? own);
            },
      );
    },
  }));

  it('the sandbox bank: its word about another operation, or of another kind, is not about this one (V2)', async () => {
    const acquirer = unfenced(createSandboxBankAcquirer({ url: sandbox.url, apiKey: sandbox.apiKey, routeId: randomUUID(), log }));
    const [paidOrder, other] = [await paid(acquirer, VISA), await paid(acquirer, VISA)];
    const refund = refundOf(paidOrder);
    await acquirer.refund(refund);
    const answerAbout = (operationId: string) => {
      sandbox.interrupt('read', 'after', ({ res }) => {
        res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(sandbox.operations.get(operationId)));
      });
    };
    answerAbout(other);
    expect([await acquirer.read(paidOrder), await acquirer.readRefund(refund)]).toEqual([{ kind: 'unknown' }, { kind: 'unknown' }]);
    answerAbout(refund.operationId);
    expect(await acquirer.read(refund.operationId)).toEqual({ kind: 'unknown' });
    answerAbout(paidOrder);
    expect(await acquirer.readRefund(refundOf(other, paidOrder))).toEqual({ kind: 'unknown' });
    sandbox.interrupt('read', 'after', undefined);
    await acquirer.close();
  });

  const MIR = '4300000000000777';
  const T_BANK = [
    operation('register', 'Init', newId, (here, id) => here.register(order(id))),
    operation('createQr, its order', 'Init', newId, (here, id) => here.createQr(order(id))),
    operation('createQr', 'GetQr', newId, (here, id) => here.createQr(order(id))),
    operation('prepareThreeDs', 'Check3dsVersion', registered, (here, id) => here.prepareThreeDs(id, card(MIR))),
    operation('authorize', 'FinishAuthorize', registered, (here, id) => here.authorize(authorization(id, MIR))),
    operation(
      'charge',
      'Charge',
      (own) => tokenOf(own, MIR),
      (here, token) => here.charge(charge(token)),
    ),
    operation('read', 'CheckOrder', registered, (here, id) => here.read(id)),
    operation(
      'read, with the card',
      'GetCardList',
      (own) => paid(own, MIR),
      (here, id) => here.read(id, { savedCard: true }),
    ),
    operation(
      'refund',
      'Cancel',
      (own) => paid(own, MIR),
      (here, id) => here.refund(refundOf(id)),
    ),
    operation(
      'readRefund',
      'CheckOrder',
      (own) => refunded(own, MIR),
      (here, wanted) => here.readRefund(wanted),
    ),
    operation('cancel', 'Cancel', registered, (here, id) => here.cancel(id)),
    operation('cancelOthers', 'CheckOrder', registered, (here, id) => here.cancelOthers(id, 'x')),
  ];
  foreignAnswers('T-Bank', T_BANK, () => ({
    acquirer: () => {
      const { url, terminalKey, password, cardKey } = tBank;
      return unfenced(createTBankAcquirer({ url, terminalKey, password, cardKey, notificationUrl: undefined, routeId: randomUUID(), log }));
    },
    answerWith(call, send) {
      tBank.interrupt(
        call,
        'after',
        send === undefined
          ? undefined
          : ({ res, result }) => {
              send(res, result);
            },
      );
    },
  }));

  it.each([
    ['another terminal', { TerminalKey: 'AnotherDEMO' }],
    ['another order', { OrderId: 'another' }],
    ['no order', { OrderId: undefined }],
    ['no terminal', { TerminalKey: undefined }],
    ['no payments', { Payments: [] }],
  ])('T-Bank: its word about %s is not about this one (V2)', async (_name, change) => {
    const { url, terminalKey, password, cardKey } = tBank;
    const acquirer = unfenced(
      createTBankAcquirer({ url, terminalKey, password, cardKey, notificationUrl: undefined, routeId: randomUUID(), log }),
    );
    const id = await paid(acquirer, MIR);
    tBank.interrupt('CheckOrder', 'after', ({ res, result }) => {
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ ...result, ...change }));
    });
    expect((await acquirer.read(id)).kind).toBe('unknown');
    tBank.interrupt('CheckOrder', 'after', undefined);
    await acquirer.close();
  });
});
