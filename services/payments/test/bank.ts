import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An operation as the played bank remembers it and shows it. */
export type BankOperation = {
  operationId: string;
  bankOperationId: string;
  kind: 'ORDER' | 'CHARGE' | 'REFUND';
  method: 'CARD' | 'SBP';
  status: 'REGISTERED' | 'THREE_DS_REQUIRED' | 'PENDING' | 'APPROVED' | 'DECLINED' | 'CANCELLED' | 'EXPIRED';
  amountKopecks: string;
  currency: string;
  reason?: string;
  cardMask?: string | null;
  cardExpiry?: string | null;
  cardToken?: string | null;
  acsUrl?: string;
  threeDsVersion?: string;
  transStatus?: string | undefined;
  eci?: string | undefined;
  threeDsServerTransId?: string;
  dsTransId?: string;
  acsTransId?: string;
  nspkurl?: string;
  originalOperationId?: string;
  createdAt: string;
  updatedAt: string;
};

export type BankCall = 'register' | 'three-ds' | 'authorize' | 'cancel' | 'charge' | 'refund' | 'read' | 'read-register';
/** What the bank does with one call instead of answering: `respond` sends the answer, `res` is the raw response. */
export type Interruption = (call: {
  readonly operation: BankOperation | undefined;
  readonly res: ServerResponse;
  readonly respond: () => void;
}) => void | Promise<void>;
/** What becomes of an order when a card is sent, or of a refund. */
type Verdict = Partial<
  Pick<
    BankOperation,
    | 'status'
    | 'reason'
    | 'acsUrl'
    | 'amountKopecks'
    | 'currency'
    | 'cardMask'
    | 'cardExpiry'
    | 'cardToken'
    | 'threeDsVersion'
    | 'transStatus'
    | 'eci'
    | 'threeDsServerTransId'
    | 'dsTransId'
    | 'acsTransId'
  >
>;

export type TestBank = {
  readonly url: string;
  readonly apiKey: string;
  readonly operations: Map<string, BankOperation>;
  /** Every call that arrived, in order; never with card data. */
  readonly calls: { call: BankCall; operationId: string; body: unknown }[];
  /** What the next authorizations become; APPROVED by default. */
  verdict: Verdict;
  refundVerdict: Verdict;
  /** Whether it declines buyers who are not authenticated when asked to; true by default. */
  keepsPolicies: boolean;
  /** What the register has of a day; by default every operation, whatever the day. */
  registerOf: (day: string) => readonly BankOperation[];
  /** Interrupts the calls of one kind until told otherwise: before the call is carried out, or after it. */
  interrupt(call: BankCall, when: 'before' | 'after', interruption: Interruption | undefined): void;
  /** Changes an operation, as time or a person at the bank does. */
  change(operationId: string, change: Verdict): void;
  callsOf(call: BankCall): number;
  close(): Promise<void>;
};

const API_KEY = 'test-bank-api-key-0123456789';
const NOW = '2026-11-21T00:00:00.000Z';

/** A bank for tests, played by a real HTTP server on a port of its own: it keeps operations and answers as it is told. */
export async function startTestBank(): Promise<TestBank> {
  const operations = new Map<string, BankOperation>();
  const calls: TestBank['calls'] = [];
  const interruptions = new Map<string, Interruption>();
  const refundsOf = new Map<string, bigint>();

  const server = createServer((req, res) => {
    answer(req, res).catch(() => {
      res.destroy();
    });
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const body = await readBody(req);
    if (req.headers.authorization !== `Bearer ${API_KEY}`) {
      send(res, 401, errorOf('ACCESS_DENIED'));
      return;
    }
    const [, , kind = '', pathId = '', verb = ''] = (req.url ?? '').split('/');
    const call = callOf(req.method ?? '', kind, verb);
    const operationId = pathId === '' ? text(body['operationId']) : pathId;
    const { card, ...harmless } = body;
    if (kind.startsWith('register?')) {
      await answerRegister(new URL(req.url ?? '', 'http://bank').searchParams, res);
      return;
    }
    calls.push({ call, operationId, body: card === undefined ? harmless : { ...harmless, card: 'sent' } });

    const before = interruptions.get(`before ${call}`);
    const work = async () => {
      const operation = carryOut(call, operationId, body);
      const respond = () => {
        if (operation === undefined) send(res, 404, errorOf('OPERATION_NOT_FOUND'));
        else if (call === 'three-ds') answerThreeDs(operation, body, res);
        else send(res, 200, operation);
      };
      const after = interruptions.get(`after ${call}`);
      if (after === undefined) respond();
      else await after({ operation, res, respond });
    };
    if (before === undefined) await work();
    else {
      await before({
        operation: operations.get(operationId),
        res,
        respond: () => {
          void work();
        },
      });
    }
  }

  /** One card has a 3DS Method. */
  function answerThreeDs({ status }: BankOperation, body: Record<string, unknown>, res: ServerResponse): void {
    if (status !== 'REGISTERED') {
      send(res, 409, errorOf('OPERATION_STATE'));
      return;
    }
    const methodUrl = numberOf(body) === '4000000000003220' ? { methodUrl: 'https://bank.example/method' } : {};
    send(res, 200, { threeDsVersion: '2.2.0', threeDsServerTransId: randomUUID(), ...methodUrl });
  }

  /** Pages of three, so that a handful of operations takes several. */
  async function answerRegister(query: URLSearchParams, res: ServerResponse): Promise<void> {
    calls.push({ call: 'read-register', operationId: query.get('after') ?? '', body: {} });
    const all = bank.registerOf(query.get('date') ?? '');
    const from = Number(query.get('after') ?? 0);
    const respond = () => {
      const next = from + 3 < all.length ? String(from + 3) : null;
      send(res, 200, { operations: all.slice(from, from + 3), next });
    };
    const interruption = interruptions.get('before read-register');
    if (interruption === undefined) respond();
    else await interruption({ operation: undefined, res, respond });
  }

  function carryOut(call: BankCall, operationId: string, body: Record<string, unknown>): BankOperation | undefined {
    const known = operations.get(operationId);
    switch (call) {
      case 'read':
      case 'read-register':
      case 'three-ds':
        return known;
      case 'register':
        return known ?? open(operationId, 'ORDER', body, { status: 'REGISTERED' });
      case 'charge':
        return known ?? open(operationId, 'CHARGE', body, { ...chargeVerdictOf(body), ...bank.verdict });
      case 'refund':
        return known ?? openRefund(operationId, body);
      case 'authorize':
        if (known?.status === 'REGISTERED') {
          Object.assign(known, cardOf(body), verdictOf(body), bank.verdict);
          if (body['whenNotAuthenticated'] === 'DECLINE' && bank.keepsPolicies && known.transStatus === 'U') {
            Object.assign(known, { status: 'DECLINED', reason: 'AUTHENTICATION_FAILED' });
          }
        }
        return known;
      case 'cancel':
        if (known?.status === 'REGISTERED' || known?.status === 'THREE_DS_REQUIRED') known.status = 'CANCELLED';
        return known;
    }
  }

  function openRefund(operationId: string, body: Record<string, unknown>): BankOperation {
    const refund = open(operationId, 'REFUND', body, { ...refundVerdictOf(body), ...bank.refundVerdict });
    const original = text(body['originalOperationId']);
    if (refund.status !== 'DECLINED') refundsOf.set(original, (refundsOf.get(original) ?? 0n) + BigInt(refund.amountKopecks));
    return refund;
  }

  /** Never more in all than was paid. */
  function refundVerdictOf({ originalOperationId, amountKopecks }: Record<string, unknown>): Verdict {
    const paid = operations.get(text(originalOperationId));
    const given = refundsOf.get(text(originalOperationId)) ?? 0n;
    const sum = given + BigInt(text(amountKopecks));
    if (paid !== undefined && sum > BigInt(paid.amountKopecks)) return { status: 'DECLINED', reason: 'PROCESSING_ERROR' };
    return { status: 'APPROVED' };
  }

  function open(operationId: string, kind: BankOperation['kind'], body: Record<string, unknown>, verdict: Verdict) {
    const operation: BankOperation = {
      operationId,
      bankOperationId: `bank-${randomUUID()}`,
      kind,
      method: body['method'] === 'SBP' ? 'SBP' : 'CARD',
      status: 'REGISTERED',
      amountKopecks: text(body['amountKopecks']),
      currency: text(body['currency'] ?? 'RUB'),
      createdAt: NOW,
      updatedAt: NOW,
    };
    if (kind === 'REFUND') operation.originalOperationId = text(body['originalOperationId']);
    if (operation.method === 'SBP') operation.nspkurl = 'https://bank.example/sbp/1';
    Object.assign(operation, verdict);
    operations.set(operationId, operation);
    return operation;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const bank: TestBank = {
    url: `http://127.0.0.1:${String(port)}`,
    apiKey: API_KEY,
    operations,
    calls,
    verdict: {},
    refundVerdict: {},
    keepsPolicies: true,
    registerOf: () => [...operations.values()],
    interrupt(call, when, interruption) {
      if (interruption === undefined) interruptions.delete(`${when} ${call}`);
      else interruptions.set(`${when} ${call}`, interruption);
    },
    change(operationId, change) {
      const operation = operations.get(operationId);
      if (operation === undefined) throw new Error('the bank has no such operation');
      Object.assign(operation, change);
    },
    callsOf: (call) => calls.filter((entry) => entry.call === call).length,
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
  return bank;
}

/** The connection breaks and no answer comes. */
export const silence: Interruption = ({ res }) => {
  res.destroy();
};

const errorOf = (errorCode: string) => ({ errorCode, errorMessage: 'played' });

/** An answer with this status and nothing useful in it. */
export const failure = (status: number): Interruption => refusal(status, 'FORCED_FAULT');

/** The bank's own error. */
export const refusal =
  (status: number, errorCode: string): Interruption =>
  ({ res }) => {
    send(res, status, errorOf(errorCode));
  };

/** Holds calls until released. */
export function gate(): { readonly interruption: Interruption; readonly arrived: Promise<void>; open(): void } {
  const waiting: (() => void)[] = [];
  let isOpen = false;
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    interruption: ({ respond }) => {
      arrive();
      if (isOpen) respond();
      else waiting.push(respond);
    },
    arrived,
    open() {
      isOpen = true;
      for (const respond of waiting.splice(0)) respond();
    },
  };
}

/** A token that this bank never issued. */
const UNKNOWN_TOKEN = '404404';

function chargeVerdictOf({ cardToken }: Record<string, unknown>): Verdict {
  if (cardToken === UNKNOWN_TOKEN) return { status: 'DECLINED', reason: 'INVALID_CARD_DETAILS' };
  return { status: 'APPROVED' };
}

/** What the bank says about a card; a token when it is to be saved. */
function cardOf({ saveCard }: Record<string, unknown>) {
  const saved = saveCard === true ? { cardToken: randomUUID() } : {};
  return { cardMask: '411111******1111', cardExpiry: '2030-12', ...saved };
}

const numberOf = ({ card }: Record<string, unknown>): unknown =>
  typeof card === 'object' && card !== null && 'number' in card ? card.number : undefined;

/** Some cards of the sandbox's list behave as they do there; every other one is approved. */
function verdictOf(body: Record<string, unknown>): Verdict {
  const number = numberOf(body);
  if (number === '4000000000009995') return { status: 'DECLINED', reason: 'INSUFFICIENT_FUNDS' };
  const threeDs = {
    threeDsVersion: '2.2.0',
    threeDsServerTransId: randomUUID(),
    dsTransId: randomUUID(),
    acsTransId: randomUUID(),
  };
  if (number === '4000003800000446')
    return { ...threeDs, status: 'THREE_DS_REQUIRED', transStatus: 'C', acsUrl: 'https://bank.example/3ds/1' };
  if (number === '4000000000003113') return { ...threeDs, status: 'APPROVED', transStatus: 'U', eci: '07' };
  return { ...threeDs, status: 'APPROVED', transStatus: 'Y', eci: '05' };
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function callOf(method: string, kind: string, verb: string): BankCall {
  if (method === 'GET') return 'read';
  if (kind === 'charges') return 'charge';
  if (kind === 'refunds') return 'refund';
  if (verb === 'authorize') return 'authorize';
  if (verb === 'three-ds') return 'three-ds';
  return verb === 'cancel' ? 'cancel' : 'register';
}

async function readBody(req: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function send(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
