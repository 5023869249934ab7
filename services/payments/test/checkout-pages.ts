import type { FailureCode } from '@pay/contract/messages.ts';
import { listen } from '@pay/shared/http/server.ts';
import { createLog, type Log } from '@pay/shared/logging/logger.ts';
import { trustedProxies } from '@pay/shared/net/client-address.ts';
import { findTestCard } from '@pay/shared/sandbox/test-cards.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createCheckout } from '../src/checkout/routes.ts';
import { createLimits, LIMITS_PER_MINUTE, type LimitsPerMinute } from '../src/checkout/limits.ts';
import { qrImage } from '../src/use-cases/payment/qr-image.ts';
import type { SendCard } from '../src/use-cases/checkout/admit-card.ts';
import type { AnswerConsent } from '../src/use-cases/checkout/answer-consent.ts';
import type { CheckoutPayment } from '../src/use-cases/checkout/open-checkout.ts';
import type { SavedCardView } from '../src/use-cases/saved-card/open-saved-card.ts';

/** The moment at which every story is told. */
const NOW = new Date('2026-11-21T11:00:00.000Z');

const BASE = {
  paymentId: '0b1f7b1e-6c39-4c7e-9a3a-2f6f6f9a7c11',
  method: 'CARD',
  storeName: 'Книжный магазин «Тихая гавань»',
  merchantOrderId: 'ORDER-2026-004217',
  description: 'Три книги и доставка до пункта выдачи',
  amountKopecks: 125_000n,
  status: 'SUBMITTED',
  expiresAt: new Date(NOW.getTime() + 59 * 60_000 + 30_000),
  now: NOW,
  environment: 'TEST',
} as const satisfies Omit<CheckoutPayment, 'checkoutToken'>;

const BINDING = {
  bindingId: '5d0f7b1e-6c39-4c7e-9a3a-2f6f6f9a7c22',
  status: 'ACTIVE',
  period: 'P1M',
  cardMask: '220070******0009',
  cardExpiry: '2034-12',
  nextChargeAt: new Date('2026-12-21T11:00:00.000Z'),
} as const satisfies SavedCardView['binding'];

/** That a payment's buyer is to be asked whether the card may be saved. */
export const ASKED = { period: 'P1M', consent: 'AWAITED', canAnswer: true } as const;

type SentWith = Omit<SendCard, 'checkoutToken' | 'card' | 'source' | 'declinedCount'>;
type IssuerMethod = 'done' | 'other' | 'silent' | 'escape';
/** The authentication of every card here that has a 3DS Method. */
const METHOD_OF = '8a880dc0-d2d2-4067-bcb1-b08d1690b26e';

/** A payment's form told as a story: what the pages show without a database or a bank. */
export type Stories = {
  /** Origin of the form. */
  readonly origin: string;
  /** Origin of the shop that the buyer returns to: another one. */
  readonly shop: string;
  /** Origin of the bank's 3-D Secure page: another one. */
  readonly bank: string;
  /** Puts a payment there and answers its path. */
  tell(story: Partial<CheckoutPayment>): string;
  /** Changes a payment as if the bank or a loop had done it. */
  change(path: string, story: Partial<CheckoutPayment>): void;
  /** Puts a saved card there and answers its path. */
  tellCard(story?: Partial<SavedCardView['binding']>, view?: Partial<SavedCardView>): string;
  /** Whether the service that keeps saved cards answers from now on. */
  setBindings(isAvailable: boolean): void;
  /** What was answered to this payment's question, in order. */
  answersOf(path: string): readonly AnswerConsent['agreed'][];
  /** How often a card of this payment went to the bank. */
  cardsTaken(path: string): number;
  /** How often the bank was asked about payments. */
  bankAsks(): number;
  /** How often the bank was asked about a card of this payment before it was sent. */
  cardsPrepared(path: string): number;
  /** What went to the bank beside the card, last. */
  sentWith(path: string): SentWith | undefined;
  /**
   * What the issuer's 3DS Method does from now on: says that it is done, for this authentication or another, never answers, or leads away.
   */
  setMethod(does: IssuerMethod): void;
  /** What the bank answers to cards from now on: nothing at all, or as the card says. */
  setRoute(isAvailable: boolean): void;
  /** Whether the velocity rules hold cards back from now on. */
  holdBack(isOn: boolean): void;
  stop(): Promise<void>;
};

/** Starts the form over payments in memory, a shop and a bank, each on a port and so an origin of its own. */
export async function startStories(limits: Partial<LimitsPerMinute> = {}, log: Log = createLog('stories', 'silent')): Promise<Stories> {
  const payments = new Map<string, CheckoutPayment>();
  const taken = new Map<string, number>();
  const prepared = new Map<string, number>();
  const sentWith = new Map<string, SentWith>();
  let issuerMethod: IssuerMethod = 'done';
  const cards = new Map<string, SavedCardView>();
  const answers = new Map<string, AnswerConsent['agreed'][]>();
  let isRouteAvailable = true;
  let isHeldBack = false;
  let isBindingsAvailable = true;
  let shopUrl = '';
  let bankUrl = '';
  const change = (checkoutToken: string, story: Partial<CheckoutPayment>) => {
    const payment = payments.get(checkoutToken);
    if (payment === undefined) throw new Error('no such story');
    payments.set(checkoutToken, { ...payment, ...story });
  };
  const end = (checkoutToken: string, failureCode: FailureCode | undefined) => {
    const payment = payments.get(checkoutToken);
    if (payment === undefined) return;
    // A payment that is no longer at the bank's page has no address of it.
    const { acsUrl: _left, ...rest } = payment;
    payments.set(checkoutToken, {
      ...rest,
      ...(failureCode === undefined ? { status: 'COMPLETED' } : { status: 'REJECTED', failureCode }),
    });
  };
  const decisions = new Map<string, 'approve' | 'decline'>();

  let bankAsks = 0;
  const decided = (checkoutToken: string) => {
    bankAsks += 1;
    const decision = decisions.get(checkoutToken);
    if (decision !== undefined) end(checkoutToken, decision === 'approve' ? undefined : 'AUTHENTICATION_FAILED');
    return Promise.resolve();
  };

  const form = await listen(
    createCheckout({
      log,
      isHttps: false,
      limits: createLimits({ ...LIMITS_PER_MINUTE, ...limits }),
      proxies: trustedProxies.parse('none'),
      get checkoutUrl() {
        return origin;
      },
      answerConsent({ checkoutToken, agreed }) {
        const saving = payments.get(checkoutToken)?.saving;
        answers.set(checkoutToken, [...(answers.get(checkoutToken) ?? []), agreed]);
        if (saving !== undefined) {
          const consent = agreed === undefined ? 'DECLINED' : 'GIVEN';
          change(checkoutToken, { status: 'SUBMITTED', saving: { ...saving, consent } });
        }
        return Promise.resolve();
      },
      openSavedCard: (link) => Promise.resolve(isBindingsAvailable ? (cards.get(link) ?? 'unknown') : 'unavailable'),
      revokeSavedCard(link) {
        const card = cards.get(link);
        if (!isBindingsAvailable) return Promise.resolve('unavailable');
        if (card === undefined) return Promise.resolve('unknown');
        const revoked: SavedCardView = { ...card, binding: { ...card.binding, status: 'REVOKED' } };
        cards.set(link, revoked);
        return Promise.resolve(revoked);
      },
      openCheckout: (checkoutToken) => Promise.resolve(payments.get(checkoutToken)),
      prepareCard({ checkoutToken, card }) {
        prepared.set(checkoutToken, (prepared.get(checkoutToken) ?? 0) + 1);
        if (findTestCard(card.number)?.outcome !== 'THREE_DS_METHOD') return Promise.resolve(undefined);
        return Promise.resolve({ ticket: `ticket-of-${checkoutToken}`, threeDsServerTransId: METHOD_OF });
      },
      openThreeDsMethod: (checkoutToken, ticket) =>
        Promise.resolve(
          ticket === `ticket-of-${checkoutToken}`
            ? { url: `${bankUrl}/method/${checkoutToken}`, threeDsServerTransId: METHOD_OF }
            : undefined,
        ),
      sendCard({ checkoutToken, card, source: _source, declinedCount, ...sent }) {
        sentWith.set(checkoutToken, sent);
        if (isHeldBack) return Promise.resolve('held-back');
        if (!isRouteAvailable) return Promise.resolve('route-unavailable');
        const { status, declined, ordersLeft = 0 } = payments.get(checkoutToken) ?? {};
        if (status !== 'SUBMITTED' || ordersLeft !== declinedCount) return Promise.resolve('not-payable');
        taken.set(checkoutToken, (taken.get(checkoutToken) ?? 0) + 1);
        change(checkoutToken, { cardMask: `${card.number.slice(0, 6)}******${card.number.slice(-4)}` });
        const outcome = findTestCard(card.number)?.outcome;
        if (outcome === 'APPROVED' || (outcome === 'THREE_DS_METHOD' && sent.isMethodDone === true)) end(checkoutToken, undefined);
        else if (outcome === 'THREE_D_SECURE' || outcome === 'THREE_DS_METHOD')
          change(checkoutToken, { status: 'PENDING', acsUrl: `${bankUrl}/3ds/${checkoutToken}` });
        else if (outcome === 'INSUFFICIENT_FUNDS' && declined?.isLastAttempt === false)
          change(checkoutToken, { ordersLeft: ordersLeft + 1, declined: { ...declined, isLastAttempt: true } });
        else if (outcome === 'INSUFFICIENT_FUNDS') end(checkoutToken, 'INSUFFICIENT_FUNDS');
        else if (outcome === 'NO_ANSWER_APPROVED') change(checkoutToken, { status: 'PENDING' });
        else end(checkoutToken, 'DECLINED_BY_ISSUER');
        return Promise.resolve('accepted');
      },
      async chooseWay({ checkoutToken, way, ordersLeft }) {
        if (!isRouteAvailable) return 'unanswered';
        const { ordersLeft: left = 0, status } = payments.get(checkoutToken) ?? {};
        if (left !== ordersLeft || status !== 'SUBMITTED') return 'not-open';
        const link = 'https://bank.example/sbp/5f0c7a52';
        if (way === 'SBP') change(checkoutToken, { isSbpChosen: true, offersSbp: false, code: { link, image: await qrImage(link) } });
        else change(checkoutToken, { isSbpChosen: false, offersSbp: true });
        change(checkoutToken, { ordersLeft: left + 1 });
        return 'chosen';
      },
      cancelByBuyer(checkoutToken) {
        if (payments.get(checkoutToken)?.status === 'SUBMITTED') {
          change(checkoutToken, { status: 'CANCELLED', failureCode: 'CANCELLED_BY_CUSTOMER' });
        }
        return Promise.resolve();
      },
      confirmThreeDs() {
        bankAsks += 1;
        return Promise.resolve();
      },
      returnFromBank: decided,
      watchBank: decided,
    }),
    '127.0.0.1',
    0,
  );
  const origin = `http://127.0.0.1:${String(form.port)}`;

  const shop = await listen(showShop, '127.0.0.1', 0);
  shopUrl = `http://127.0.0.1:${String(shop.port)}`;

  const bank = await listen(
    (req, res) => {
      if (req.url?.startsWith('/method/') === true) {
        runIssuerMethod(issuerMethod, shopUrl, req, res);
        return;
      }
      const [, checkoutToken = '', decision] = /^\/3ds\/([\w-]+)(?:\/(approve|decline))?$/.exec(req.url ?? '') ?? [];
      if (decision === 'approve' || decision === 'decline') {
        decisions.set(checkoutToken, decision);
        res.writeHead(302, { location: `${origin}/pay/${checkoutToken}/return` }).end();
        return;
      }
      sendPage(
        res,
        'Bank',
        `<h1>Bank</h1><a href="/3ds/${checkoutToken}/approve">Approve</a> <a href="/3ds/${checkoutToken}/decline">Decline</a>`,
      );
    },
    '127.0.0.1',
    0,
  );
  bankUrl = `http://127.0.0.1:${String(bank.port)}`;

  let count = 0;
  return {
    origin,
    shop: shopUrl,
    bank: bankUrl,
    tell(story) {
      count += 1;
      const checkoutToken = `story-of-a-payment-${String(count)}`;
      payments.set(checkoutToken, {
        ...BASE,
        returnUrl: `${shopUrl}/thanks?order=4217&from=form`,
        ...story,
        checkoutToken,
      });
      return `/pay/${checkoutToken}`;
    },
    tellCard(story = {}, view = {}) {
      count += 1;
      const link = `story-of-a-saved-card-${String(count)}.signed`;
      const { storeName, environment, now } = BASE;
      const binding = { ...BINDING, ...story };
      cards.set(link, { link, storeName, environment, now, returnUrl: `${shopUrl}/thanks`, ...view, binding });
      return `/saved-card/${link}`;
    },
    setBindings(isAvailable) {
      isBindingsAvailable = isAvailable;
    },
    answersOf: (path) => answers.get(path.slice('/pay/'.length)) ?? [],
    change(path, story) {
      change(path.slice('/pay/'.length), story);
    },
    cardsPrepared: (path) => prepared.get(path.slice('/pay/'.length)) ?? 0,
    sentWith: (path) => sentWith.get(path.slice('/pay/'.length)),
    setMethod(does) {
      issuerMethod = does;
    },
    cardsTaken: (path) => taken.get(path.slice('/pay/'.length)) ?? 0,
    bankAsks: () => bankAsks,
    holdBack(isOn) {
      isHeldBack = isOn;
    },
    setRoute(isAvailable) {
      isRouteAvailable = isAvailable;
    },
    async stop() {
      await Promise.all([form.drain(0), shop.drain(0), bank.drain(0)]);
    },
  };
}

/** The issuer's 3DS Method, in the hidden frame: it has a script, as issuers do. */
function runIssuerMethod(does: IssuerMethod, shopUrl: string, req: IncomingMessage, res: ServerResponse): void {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    // It never answers: the connection stays open until the end of the test.
    if (does === 'silent') return;
    const data = new URLSearchParams(Buffer.concat(chunks).toString()).get('threeDSMethodData') ?? '';
    const asked = JSON.parse(Buffer.from(data, 'base64url').toString()) as Readonly<Record<string, string>>;
    const { threeDSServerTransID, threeDSMethodNotificationURL = '' } = asked;
    const named = does === 'other' ? '00000000-0000-4000-8000-000000000000' : threeDSServerTransID;
    const told = Buffer.from(JSON.stringify({ threeDSServerTransID: named })).toString('base64url');
    const script = does === 'escape' ? `top.location = '${shopUrl}'` : 'document.forms[0].submit()';
    const form = `<form method="post" action="${threeDSMethodNotificationURL}"><input type="hidden" name="threeDSMethodData" value="${told}"></form>`;
    sendPage(res, 'Issuer', `${form}<script>${script}</script>`);
  });
}

function showShop(req: IncomingMessage, res: ServerResponse): void {
  sendPage(res, 'Shop', `<h1>Shop</h1><p>${req.headers.referer === undefined ? 'no referrer' : 'with a referrer'}</p>`);
}

function sendPage(res: ServerResponse, title: string, body: string): void {
  res
    .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    .end(`<!doctype html><html lang="en"><head><title>${title}</title></head><body><main>${body}</main></body></html>`);
}
