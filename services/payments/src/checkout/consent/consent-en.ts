import type { ConsentWords } from './consent-words.ts';

/** English. Every word is evidence: a change of the text is a change of the version. */
export const consentEn: ConsentWords = {
  version: '2026-11-21.en',
  periods: {
    PT1M: 'not more often than once a minute',
    PT1H: 'not more often than once an hour',
    P1D: 'not more often than once in 24 hours',
    P1W: 'not more often than once in seven days',
    P1M: 'not more often than once in a calendar month',
    P1Y: 'not more often than once in a calendar year',
  },
  question: 'Save the card for later charges?',
  box: (shop, period) =>
    `I agree that the card I pay with now is saved, and that ${quoted(shop)} may charge it ${period} without asking me each time.`,
  points: (shop, period) => [
    { term: 'Who charges', text: quoted(shop) },
    { term: 'How often', text: `${upper(period)}. Today’s payment counts as the first charge.` },
    { term: 'How much', text: 'No amount is fixed: the shop decides each amount by its own terms.' },
    {
      term: 'How to stop it',
      text: 'At any time and free of charge: by the link that you get after the payment, or through the shop. After that there are no new charges.',
    },
  ],
  fullTitle: 'Consent to save a card and to charge it',
  fullText: (shop, period) => [
    {
      heading: '1. What you agree to',
      paragraphs: [
        `You allow the card that you pay with now to be saved, and to be charged in favour of the shop, ${quoted(shop)}, without you taking part in each payment.`,
        'The consent holds only if you ticked the box yourself and the payment went through. Without the tick the card is not saved, and the order is paid once.',
      ],
    },
    {
      heading: '2. How often',
      paragraphs: [
        `A charge is possible ${period}. The time is counted from the last successful charge, in universal time (UTC); today’s payment counts as the first.`,
        'This is one limit for all subscriptions and orders that the shop connects with this card, and it is kept by our system, not by the shop alone. To change it a new consent is needed.',
      ],
    },
    {
      heading: '3. How much',
      paragraphs: [
        'The consent fixes no amount. The shop decides the amount of each charge by its agreement with you; ask the shop about it.',
      ],
    },
    {
      heading: '4. What is kept',
      paragraphs: [
        'The card number and the security code are not kept. What is kept: the mark by which the bank knows the card, encrypted; the first six and the last four digits and the expiry date; this text, the time of your consent, the network address and the name of the browser.',
        'The shop sees only these digits and the expiry date: it gets neither the card number nor its mark.',
      ],
    },
    {
      heading: '5. How to stop it',
      paragraphs: [
        'You may withdraw the consent at any time, free of charge and without giving a reason: on the page “Saved card”, whose link you see after the payment, or through the shop. This is your right by law.',
        'It takes effect at once: no new charge is accepted. A charge that the bank already has is not undone by it.',
        'When the card expires, the charges end by themselves.',
      ],
    },
  ],
};

/** A name that contains quotation marks is not quoted again. */
function quoted(shop: string): string {
  return /[«»„“”"]/.test(shop) ? shop : `“${shop}”`;
}

function upper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
