import type { CheckoutPayment } from '../src/use-cases/checkout/open-checkout.ts';
import { qrImage } from '../src/use-cases/payment/qr-image.ts';
import { ASKED, type Stories } from './checkout-pages.ts';

/** What the shop wrote, in Latin letters; the stories themselves are told in Russian. */
export const ENGLISH_SHOP = {
  storeName: 'Quiet Harbour Books',
  description: 'Three books and delivery to a pick-up point',
};

/** A page that a buyer may see, in the state that its name says. */
export type BuyerPage = { readonly name: string; readonly path: string };

type Story = Partial<CheckoutPayment>;
type PageStory = readonly [name: string, story: Story, suffix?: string];

const LINK = 'https://bank.example/sbp/5f0c7a52-6a0a-4d0e-9a52-0e6a2a4a9f11';
const PAID = { status: 'COMPLETED', cardMask: '220070******0009' } as const;
const CHOSEN = { ordersLeft: 1, isSbpChosen: true } as const;
const QR = { method: 'SBP_DYNAMIC_QR', merchantOrderId: '' } as const;
const DECLINED = { ordersLeft: 1, declined: { failureCode: 'INVALID_CARD_DETAILS', isLastAttempt: true } } as const;

/** The longest of everything: nothing of it may push a page out of a screen. */
const LONG = {
  storeName: 'Ы'.repeat(80),
  description: 'W'.repeat(140),
  merchantOrderId: 'X'.repeat(64),
  amountKopecks: 100_000_000n,
} as const;

const PAYMENTS: readonly PageStory[] = [
  ['card', {}],
  ['card-live', { environment: 'LIVE' }],
  ['card-or-sbp', { offersSbp: true }],
  ['card-long', LONG],
  ['card-again', DECLINED],
  ['card-to-save', { saving: { ...ASKED, consent: 'GIVEN' } }],
  ['card-not-to-save', { saving: { ...ASKED, consent: 'DECLINED' } }],
  ['consent', { status: 'CREATED', saving: ASKED }],
  ['consent-long', { status: 'CREATED', saving: ASKED, storeName: LONG.storeName }],
  ['consent-text', { status: 'CREATED', saving: ASKED }, '/consent/text'],
  ['preparing', { status: 'CREATED' }],
  ['preparing-again', { ...DECLINED, isPreparing: true }],
  ['waiting', { status: 'PENDING' }],
  ['returned', { status: 'PENDING', acsUrl: 'https://bank.invalid/3ds' }, '/returned'],
  ['paid', PAID, '/result'],
  ['paid-saved', { ...PAID, saving: { ...ASKED, consent: 'GIVEN' }, savedCard: { link: 'card.signed' } }, '/result'],
  ['paid-saved-elsewhere', { ...PAID, saving: { ...ASKED, consent: 'GIVEN' }, savedCard: { link: undefined } }],
  ['paid-already', PAID],
  ['refunded', { status: 'REFUNDED' }],
  ['declined', { status: 'REJECTED', failureCode: 'INSUFFICIENT_FUNDS' }],
  ['failed', { status: 'FAILED', failureCode: 'ISSUER_UNAVAILABLE' }],
  ['cancelled', { status: 'CANCELLED', failureCode: 'CANCELLED_BY_CUSTOMER' }],
  ['expired', { status: 'EXPIRED', failureCode: 'SESSION_EXPIRED' }],
  ['held', { isHeld: true }],
  ['qr-preparing', QR],
  ['qr-declined', { ...QR, status: 'REJECTED', failureCode: 'INSUFFICIENT_FUNDS' }],
  ['qr-refunded', { ...QR, status: 'REFUNDED' }],
];

const CARDS = [
  ['saved-card', 'ACTIVE'],
  ['saved-card-revoked', 'REVOKED'],
  ['saved-card-expired', 'EXPIRED'],
] as const;

/** Tells a story for every state of every buyer's page that a plain visit shows, and answers where each is. */
export async function tellBuyerPages(stories: Stories, shop: Story = {}): Promise<readonly BuyerPage[]> {
  const code = { link: LINK, image: await qrImage(LINK) };
  const told = ([name, story, suffix = '']: PageStory) => ({
    name,
    path: stories.tell({ ...shop, ...story }) + suffix,
  });
  return [
    ...PAYMENTS.map(told),
    told(['qr', { ...QR, code }]),
    told(['qr-or-card', { ...CHOSEN, code }]),
    told(['qr-long', { ...LONG, ...QR, code }]),
    told(['qr-not-yet', { ...QR, code }, '/returned']),
    ...CARDS.map(([name, status]) => ({ name, path: stories.tellCard({ status }, shop) })),
    { name: 'saved-card-unknown', path: '/saved-card/nobody-signed-this' },
    { name: 'not-found', path: '/pay/nobody-has-this-token' },
  ];
}
