import { constants, generateKeyPairSync, privateDecrypt, randomUUID, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tokenOf } from '../src/acquirers/t-bank/token.ts';

/** A payment of the bank's own. */
export type TBankPayment = {
  PaymentId: string;
  OrderId: string;
  Amount: number;
  Status: string;
  ErrorCode: string;
  SbpPaymentId?: string;
  customerKey: string | undefined;
  recurrent: boolean;
  initiator: string | undefined;
  /** What is left after refunds. */
  left: number;
  refunds: Map<string, { OriginalAmount: number; NewAmount: number; Status: string }>;
  /** Of the last refund by SBP: what GetQrState says of it, and the status when it is over. */
  sbpRefund?: { Amount: number; after: string; code?: string };
};
type Card = { Pan: string; ExpDate: string; RebillId: string; Status: 'A' | 'D' };
type Json = Record<string, unknown>;

/** What the bank does with a call instead of answering; `answer` is what it would have said. */
export type TBankInterruption = (call: {
  readonly res: ServerResponse;
  readonly answer: () => void;
  readonly body: Json;
  /** What it says when it has carried the call out; nothing before that. */
  readonly result: object;
}) => void;

export type TestTBank = {
  readonly url: string;
  readonly terminalKey: string;
  readonly password: string;
  /** The terminal's public key. */
  readonly cardKey: KeyObject;
  readonly payments: TBankPayment[];
  /** Every call with a good signature, in order; CardData opened, without the card's number and CVV. */
  readonly calls: { readonly method: string; readonly body: Json }[];
  /** As they came, byte for byte, of the methods that open, charge, withdraw and give back: `<method> <body>`. */
  readonly bodies: string[];
  /** `user-agent` and `accept` of each FinishAuthorize, in order. */
  readonly browsers: (readonly [userAgent: string | undefined, accept: string | undefined])[];
  /** Refunds by SBP are ASYNC_REFUNDING until `endSbpRefund`, as at the real bank. */
  takesTimeForSbp: boolean;
  /** Payments of one order. */
  of(operationId: string): TBankPayment[];
  interrupt(method: string, when: 'before' | 'after', interruption: TBankInterruption | undefined): void;
  /**
   * Holds one call of a method: `before` it is carried out, or its answer `after` that. By default the first, of whatever
   * order.
   */
  hold(
    method: string,
    when: 'before' | 'after',
    which?: { readonly number?: number; readonly orderId?: string },
  ): { readonly arrived: Promise<void>; open(): void };
  /** Forgets every interruption. */
  interruptNothing(): void;
  /** One more payment of an order, open to be paid: an Init that reached the bank late, or twice. */
  again(operationId: string): TBankPayment;
  /** The buyer passed, or failed, on the issuer's 3-D Secure page. */
  passThreeDs(operationId: string, isPassed?: boolean): void;
  /** The buyer pays the QR with a bank's app. */
  payQr(operationId: string): void;
  /** The refund by SBP that is under way ends; with a code the buyer's bank did not take it. */
  endSbpRefund(operationId: string, code?: string): void;
  /** A notification as the bank would send it about a payment, signed. */
  notification(payment: TBankPayment): Json;
  close(): Promise<void>;
};

/** Cards of the played bank; every other one is approved. */
const DECLINED: Readonly<Record<string, string>> = { '4000000000009995': '1051', '4000000000000002': '1005' };
const THREE_DS = '4000003800000446';
const THREE_DS_1 = '4000000000003063';
/** Its issuer looks at the browser first, and asks the buyer where it has not seen it. */
const METHOD = '4000000000003220';

/**
 * T-Bank's e-acquiring, played by a real HTTP server that follows the rules the bank published (Init, Check3dsVersion,
 * FinishAuthorize, Submit3DSAuthorizationV2, Charge, Cancel, CheckOrder, GetQr, GetQrState, GetCardList of
 * www.tbank.ru/kassa/dev/payments): parameters and their order of calls, signature, card data by RSA, the status model,
 * error codes.
 */
export async function startTestTBank(): Promise<TestTBank> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const [terminalKey, password] = ['TestTerminalDEMO', 'test-password-0123'];
  const payments: TBankPayment[] = [];
  const cards = new Map<string, Card[]>();
  const passed = new Map<string, boolean>();
  const calls: TestTBank['calls'] = [];
  const bodies: string[] = [];
  const browsers: TestTBank['browsers'] = [];
  const interruptions = new Map<string, TBankInterruption>();
  let counter = 13_660_000_000;

  const refused = (ErrorCode: string): Json => ({ Success: false, ErrorCode, Message: 'Отказ', Details: '' });
  const shown = ({ PaymentId, OrderId, Amount, Status, ErrorCode }: TBankPayment, success = true): Json => ({
    Success: success,
    ErrorCode,
    TerminalKey: terminalKey,
    PaymentId,
    OrderId,
    Amount,
    Status,
    Message: 'OK',
  });
  const find = (body: Json) => payments.find(({ PaymentId }) => PaymentId === String(body['PaymentId']));

  function init(body: Json): Json {
    const { OrderId, Amount, RedirectDueDate, Recurrent, CustomerKey, DATA } = body;
    if (typeof OrderId !== 'string' || OrderId.length > 36 || OrderId.length === 0) return refused('212');
    const receiptFault = receiptFaultOf(body['Receipt'], Amount);
    if (receiptFault !== undefined) return refused(receiptFault);
    if (typeof Amount !== 'number' || !Number.isInteger(Amount) || String(Amount).length > 10) return refused('240');
    if (typeof body['Description'] === 'string' && body['Description'].length > 140) return refused('213');
    if (RedirectDueDate !== undefined && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/.test(textOf(RedirectDueDate) ?? ''))
      return refused('12');
    const initiator = textOf(asJson(DATA)['OperationInitiatorType']);
    const allowed = Recurrent === 'Y' ? ['1'] : ['0', '2', 'R'];
    if (initiator === undefined || !allowed.includes(initiator)) return refused('1126');
    if (Recurrent === 'Y' && typeof CustomerKey !== 'string') return refused('2');
    counter += 1;
    const payment: TBankPayment = {
      PaymentId: String(counter),
      OrderId,
      Amount,
      Status: 'NEW',
      ErrorCode: '0',
      customerKey: textOf(CustomerKey),
      recurrent: Recurrent === 'Y',
      initiator,
      left: Amount,
      refunds: new Map(),
    };
    payments.push(payment);
    return shown(payment);
  }

  function openCard(body: Json): { number: string; expiry: string } | undefined {
    try {
      const plain = privateDecrypt(
        { key: privateKey, padding: constants.RSA_PKCS1_PADDING },
        Buffer.from(String(body['CardData']), 'base64'),
      ).toString();
      const [, number, expiry] = /^PAN=(\d{13,19});ExpDate=((?:0[1-9]|1[0-2])\d{2});CVV=\d{3,4}$/.exec(plain) ?? [];
      return number === undefined || expiry === undefined ? undefined : { number, expiry };
    } catch {
      return undefined;
    }
  }

  function finish(body: Json): Json {
    const payment = find(body);
    if (payment === undefined) return refused('255');
    if (payment.Status !== 'NEW') return refused('8');
    const card = openCard(body);
    if (card === undefined) return refused('243');
    const browser = asJson(body['DATA']);
    const needed = ['threeDSCompInd', 'language', 'timezone', 'screen_height', 'screen_width', 'cresCallbackUrl'];
    if (needed.some((name) => typeof browser[name] !== 'string')) return refused('250');
    if (card.number === THREE_DS || card.number === THREE_DS_1 || (card.number === METHOD && browser['threeDSCompInd'] !== 'Y')) {
      payment.Status = '3DS_CHECKING';
      saveCard(payment, card);
      const page = `${bank.url}/acs/${payment.PaymentId}`;
      if (card.number === THREE_DS_1) return { ...shown(payment), MD: 'ACQT-1', PaReq: 'eJx', ACSUrl: page };
      return { ...shown(payment), ACSUrl: page, TdsServerTransId: randomUUID(), AcsTransId: randomUUID() };
    }
    return conclude(payment, DECLINED[card.number], card);
  }

  function conclude(payment: TBankPayment, errorCode: string | undefined, card?: { number: string; expiry: string }): Json {
    payment.Status = errorCode === undefined ? 'CONFIRMED' : 'REJECTED';
    payment.ErrorCode = errorCode ?? '0';
    if (errorCode !== undefined) return shown(payment, false);
    if (card !== undefined) saveCard(payment, card);
    return shown(payment);
  }

  function saveCard({ recurrent, customerKey }: TBankPayment, card: { number: string; expiry: string }): void {
    if (!recurrent || customerKey === undefined) return;
    const Pan = `${card.number.slice(0, 6)}******${card.number.slice(-4)}`;
    cards.set(customerKey, [{ Pan, ExpDate: card.expiry, RebillId: String(20_000_000_000_000_000_000n + BigInt(counter)), Status: 'A' }]);
  }

  function charge(body: Json): Json {
    const payment = find(body);
    if (payment === undefined) return refused('255');
    if (payment.initiator !== 'R') return refused('1126');
    if (payment.Status !== 'NEW') return refused('8');
    const isKnown = [...cards.values()].flat().some(({ RebillId }) => RebillId === body['RebillId']);
    return isKnown ? conclude(payment, undefined) : refused('10');
  }

  function cancel(body: Json): Json {
    const payment = find(body);
    if (payment === undefined) return refused('255');
    const shownRefund = (refund: object) => ({ ...shown(payment), PaymentId: Number(payment.PaymentId), ...refund });
    if (payment.Status === 'NEW') {
      payment.Status = 'CANCELED';
      return shownRefund({ OriginalAmount: payment.Amount, NewAmount: 0 });
    }
    const requestId = textOf(body['ExternalRequestId']) ?? '';
    const known = requestId === '' ? undefined : payment.refunds.get(requestId);
    // By SBP the id is not looked at: the money goes back once more.
    if (known !== undefined && payment.SbpPaymentId === undefined) return shownRefund(known);
    if (payment.Status !== 'CONFIRMED' && payment.Status !== 'PARTIAL_REFUNDED') return refused('4');
    const amount = typeof body['Amount'] === 'number' ? body['Amount'] : payment.left;
    const receiptFault = receiptFaultOf(body['Receipt'], amount);
    if (receiptFault !== undefined) return refused(receiptFault);
    if (amount > payment.left) return refused('330');
    const OriginalAmount = payment.left;
    payment.left -= amount;
    const after = payment.left === 0 ? 'REFUNDED' : 'PARTIAL_REFUNDED';
    const takesTime = payment.SbpPaymentId !== undefined && bank.takesTimeForSbp;
    payment.Status = takesTime ? 'ASYNC_REFUNDING' : after;
    if (payment.SbpPaymentId !== undefined) payment.sbpRefund = { Amount: amount, after };
    const refund = { OriginalAmount, NewAmount: payment.left, Status: payment.Status };
    payment.refunds.set(requestId, refund);
    return shownRefund(refund);
  }

  function qrState(body: Json): Json {
    const payment = find(body);
    if (payment === undefined) return refused('255');
    const { OrderId, Status, sbpRefund } = payment;
    return { Success: true, ErrorCode: '0', OrderId, Status, Amount: sbpRefund?.Amount, QrCancelCode: sbpRefund?.code };
  }

  function submitThreeDs(body: Json): Json {
    const payment = find(body);
    if (payment === undefined) return refused('255');
    if (payment.Status !== '3DS_CHECKING') return refused('8');
    const isPassed = passed.get(payment.OrderId);
    if (isPassed === undefined) return refused('101');
    return conclude(payment, isPassed ? undefined : '101');
  }

  const METHODS: Readonly<Record<string, (body: Json) => Json | readonly Json[]>> = {
    Init: init,
    Check3dsVersion: (body) => {
      const card = openCard(body);
      if (card === undefined || find(body) === undefined) return refused(card === undefined ? '243' : '255');
      if (card.number === '4000000000000127') return refused('642');
      const method = card.number === METHOD ? { ThreeDSMethodURL: `${bank.url}/3ds-method` } : {};
      const is2 = card.number !== THREE_DS_1;
      return {
        Success: true,
        ErrorCode: '0',
        Version: is2 ? '2.1.0' : '1.0.0',
        PaymentSystem: 'mir',
        ...method,
        ...(is2 ? { TdsServerTransID: randomUUID() } : {}),
      };
    },
    FinishAuthorize: finish,
    Submit3DSAuthorizationV2: submitThreeDs,
    Charge: charge,
    Cancel: cancel,
    CheckOrder: ({ OrderId }) => {
      const found = payments.filter((payment) => payment.OrderId === OrderId);
      if (found.length === 0) return refused('335');
      const Payments = found.map(({ PaymentId, Amount, Status, ErrorCode, SbpPaymentId }) => ({
        PaymentId,
        Amount,
        Status,
        Success: 'true',
        ErrorCode: Number(ErrorCode),
        Message: 'None',
        SbpPaymentId,
      }));
      return { Success: true, ErrorCode: '0', TerminalKey: terminalKey, OrderId, Payments };
    },
    GetQr: (body) => {
      const payment = find(body);
      if (payment === undefined) return refused('255');
      if (payment.Amount < 1_000) return refused('3016');
      payment.SbpPaymentId ??= randomUUID();
      return { ...shown(payment), PaymentId: Number(payment.PaymentId), Data: `https://qr.nspk.ru/${payment.PaymentId}?type=02` };
    },
    GetQrState: qrState,
    GetCardList: ({ CustomerKey }) => {
      const found = cards.get(String(CustomerKey));
      return found === undefined ? refused('7') : found.map((card) => ({ CardId: '1', CardType: 0, ...card }));
    },
  };

  const server = createServer((req, res) => {
    answer(req, res).catch(() => {
      res.destroy();
    });
  });

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const raw = await readBody(req);
    const isForm = req.headers['content-type'] === 'application/x-www-form-urlencoded';
    const body = isForm ? Object.fromEntries(new URLSearchParams(raw)) : asJson(JSON.parse(raw));
    const method = /^\/v2\/(\w+)$/.exec(req.url ?? '')?.[1] ?? '';
    const run = METHODS[method];
    if (run === undefined) {
      res.writeHead(404).end();
      return;
    }
    // The signature over numbers as they were written: Node's own numbers print the same up to 15 digits.
    const signed = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
    );
    if (body['TerminalKey'] !== terminalKey || body['Token'] !== tokenOf(signed, password)) {
      send(res, refused('204'));
      return;
    }
    calls.push({ method, body: body['CardData'] === undefined ? body : { ...body, CardData: 'sent' } });
    if (/^(?:Init|GetQr|Charge|Cancel)$/.test(method)) bodies.push(`${method} ${raw}`);
    if (method === 'FinishAuthorize') browsers.push([req.headers['user-agent'], req.headers.accept]);
    const work = () => {
      const result = run(body);
      const after = interruptions.get(`after ${method}`);
      if (after === undefined) send(res, result);
      else
        after({
          res,
          answer: () => {
            send(res, result);
          },
          body,
          result,
        });
    };
    const before = interruptions.get(`before ${method}`);
    if (before === undefined) work();
    else before({ res, answer: work, body, result: {} });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const of = (operationId: string) => payments.filter(({ OrderId }) => OrderId === operationId);
  const bank: TestTBank = {
    url: `http://127.0.0.1:${String(port)}`,
    terminalKey,
    password,
    cardKey: publicKey,
    payments,
    calls,
    bodies,
    browsers,
    takesTimeForSbp: false,
    of,
    interrupt(method, when, interruption) {
      if (interruption === undefined) interruptions.delete(`${when} ${method}`);
      else interruptions.set(`${when} ${method}`, interruption);
    },
    hold(method, when, { number = 1, orderId } = {}) {
      let seen = 0;
      let open: () => void = () => undefined;
      const opened = new Promise<void>((resolve) => {
        open = resolve;
      });
      const arrived = new Promise<void>((resolve) => {
        bank.interrupt(method, when, ({ answer, body }) => {
          const isMeant = orderId === undefined || body['OrderId'] === orderId;
          if (isMeant) seen += 1;
          if (!isMeant || seen !== number) {
            answer();
            return;
          }
          void opened.then(answer);
          resolve();
        });
      });
      return { arrived, open };
    },
    interruptNothing() {
      interruptions.clear();
    },
    again(operationId) {
      const [first] = of(operationId);
      if (first === undefined) throw new Error('the bank has no such order');
      counter += 1;
      const { sbpRefund: _other, ...same } = first;
      const payment = { ...same, PaymentId: String(counter), Status: 'NEW', left: first.Amount, refunds: new Map() };
      payments.push(payment);
      return payment;
    },
    passThreeDs(operationId, isPassed = true) {
      passed.set(operationId, isPassed);
    },
    payQr(operationId) {
      for (const payment of of(operationId)) payment.Status = 'CONFIRMED';
    },
    endSbpRefund(operationId, code) {
      const payment = of(operationId).find(({ Status }) => Status === 'ASYNC_REFUNDING');
      if (payment?.sbpRefund === undefined) throw new Error('the bank has no refund under way');
      const { sbpRefund } = payment;
      payment.Status = sbpRefund.after;
      if (code === undefined) return;
      payment.left += sbpRefund.Amount;
      payment.Status = payment.left === payment.Amount ? 'CONFIRMED' : 'PARTIAL_REFUNDED';
      sbpRefund.code = code;
    },
    notification(payment) {
      const { PaymentId, OrderId, Amount, Status, ErrorCode } = payment;
      const body = {
        TerminalKey: terminalKey,
        OrderId,
        Success: true,
        Status,
        PaymentId: Number(PaymentId),
        ErrorCode,
        Amount,
        CardId: 322264,
        Pan: '430000******0777',
        ExpDate: '1130',
        Data: { Source: 'cards' },
      };
      const signed = Object.fromEntries(
        Object.entries(body).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
      );
      return { ...body, Token: tokenOf(signed, password) };
    },
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

/** The bank's own code for a receipt that it does not take. */
function receiptFaultOf(receipt: unknown, amount: unknown): string | undefined {
  if (receipt === undefined) return undefined;
  const { Email, Phone, Items } = asJson(receipt);
  if (Email === undefined && Phone === undefined) return '329';
  const items = Array.isArray(Items) ? Items.map(asJson) : [];
  return items.reduce((sum, { Amount }) => sum + Number(Amount), 0) === amount ? undefined : '334';
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

function asJson(value: unknown): Json {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

async function readBody(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function send(res: ServerResponse, body: Json | readonly Json[]): void {
  res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
