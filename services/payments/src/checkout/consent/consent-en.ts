import type { ConsentWords } from './consent-words.ts';

/** English. Every word is evidence: a change of the text is a change of the version. */
export const consentEn: ConsentWords = {
  version: '2026-11-23.en',
  periods: {
    PT1M: 'no more than once a minute',
    PT1H: 'no more than once an hour',
    P1D: 'no more than once in 24 hours',
    P1W: 'no more than once in seven days',
    P1M: 'no more than once in a calendar month',
    P1Y: 'no more than once in a calendar year',
  },
  question: 'Save the card for future payments?',
  box: (shop, period) =>
    `I agree that the card I am paying with is saved, and that ${quoted(shop)} may charge it ${period} without asking me each time.`,
  points: (shop, period) => [
    { term: 'Who charges', text: quoted(shop) },
    { term: 'How often', text: `${upper(period)}. Today’s payment counts as the first charge.` },
    { term: 'How much', text: 'No amount is fixed: the shop decides each amount by its own terms.' },
    {
      term: 'How to stop it',
      text: 'At any time, free of charge, using the link you get after paying, or through the shop. After that there are no new charges.',
    },
  ],
  fullTitle: 'Consent to save a card and to charge it',
  fullText: (shop, period) => [
    {
      heading: '1. What you agree to',
      paragraphs: [
        `You allow the card you are paying with to be saved, and to be charged by the shop, ${quoted(shop)}, without you taking part in each payment.`,
        'The consent is valid only if you ticked the box yourself and the payment went through. Without the tick the card is not saved, and the order is paid once.',
      ],
    },
    {
      heading: '2. How often',
      paragraphs: [
        `A charge is possible ${period}. The period is counted from the last successful charge (in UTC); today’s payment counts as the first.`,
        'This limit is shared by all subscriptions and orders paid with this card. Our system enforces it, not only the shop. Changing it needs a new consent.',
      ],
    },
    {
      heading: '3. How much',
      paragraphs: [
        'The consent fixes no amount. The shop sets the amount of each charge under its agreement with you; ask the shop about it.',
      ],
    },
    {
      heading: '4. What is stored',
      paragraphs: [
        'The card number and the security code are not stored. What is stored: the bank’s token for the card, encrypted; the first six and last four digits and the expiry date; this text, the time of your consent, your IP address and browser details.',
        'The shop sees only these digits and the expiry date: it gets neither the card number nor the token.',
      ],
    },
    {
      heading: '5. How to stop it',
      paragraphs: [
        'You may withdraw the consent at any time, free of charge and without giving a reason: on the page “Saved card”, whose link you see after the payment, or through the shop. This is your right by law.',
        'It takes effect immediately: no new charge is accepted. It does not undo a charge that the bank already has.',
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
