import type { Texts } from './texts.ts';

const ANOTHER_CARD = 'Go back to the shop and pay again with another card.';
const ONCE_MORE = 'Go back to the shop and pay again.';

/** English. */
export const en: Texts = {
  language: 'en',
  languageName: 'English',
  languageSwitch: 'Language',
  skipToContent: 'Skip to content',
  securedBy: 'Secure payment',
  test: {
    title: 'Test mode',
    explanation: 'No money is taken. Real cards are refused.',
    cards: 'Test cards',
    cardsNote: 'Expiry: any future month. Security code: any three digits.',
    use: 'Use',
  },
  order: {
    heading: 'Your order',
    shop: 'Shop',
    number: 'Order number',
    purpose: 'For',
    amount: 'Amount',
    card: 'Card',
  },
  time: {
    payBy: 'Pay by',
    zone: 'Moscow time',
    left: 'Time left',
    twoMinutesLeft: 'Two minutes left. After that this page closes and no money is taken.',
    over: 'Time is up',
  },
  card: {
    title: 'Pay by card',
    heading: 'Card details',
    fields: { number: 'Card number', expiry: 'Expiry date', cvv: 'Security code' },
    hints: {
      number: 'With or without spaces',
      expiry: 'For example 09/28',
      cvv: 'Three digits on the back',
    },
    brands: 'Cards we take',
    pay: 'Pay',
    paying: 'Sending to the bank…',
    problems: {
      'number-missing': 'Enter the card number: it is printed on the card or shown in your bank’s app',
      'number-not-digits': 'The card number has other characters in it: leave only the digits',
      'number-length': 'The card number must have 13 to 19 digits: check that it is complete',
      'number-mistyped': 'The card number has a typing mistake: compare it with your card',
      'number-not-a-test-card': 'The card number is not a test card: take one from the list of test cards',
      'expiry-missing': 'Enter the expiry date: month and year from the card, for example 09/28',
      'expiry-unreadable': 'The expiry date could not be read: enter month and year, for example 09/28',
      'expiry-month': 'The expiry date has no such month: enter a month from 01 to 12, then the year',
      'expiry-past': 'The expiry date has passed: check month and year, or use another card',
      'expiry-too-far': 'The expiry date is too far in the future: compare the year with your card',
      'cvv-missing': 'Enter the security code: three digits on the back of the card or in your bank’s app',
      'cvv-not-digits': 'The security code has other characters in it: leave only the digits',
      'cvv-length-3': 'The security code of this card has three digits: check that all of them are there',
      'cvv-length-4': 'The security code of this card has four digits, on the front',
    },
    problemsHeading: 'Check your card details',
    emptied: 'The fields were emptied: this page never keeps card details. Please enter them again.',
    errorPrefix: 'Error',
    privacy:
      'The shop does not see your card details: they go to the bank only, and the security code is never stored.',
    routeUnavailable: {
      what: 'The bank is not answering at the moment',
      advice: 'Wait a minute and enter your card details again.',
    },
  },
  cancel: {
    summary: 'Cancel this payment',
    question: 'The payment will be cancelled and this link will no longer work.',
    confirm: 'Yes, cancel the payment',
  },
  bank: {
    title: 'Confirm the payment with your bank',
    what: 'We are opening your bank’s page. It will ask you to confirm the payment, for example with a code from a message.',
    then: 'After that the bank brings you back here.',
    go: 'Go to the bank’s page',
  },
  preparing: {
    title: 'Preparing your payment',
    what: 'The form opens in a few seconds. There is nothing to enter yet.',
  },
  waiting: {
    title: 'Waiting for the bank',
    what: 'This usually takes a few seconds. Please do not pay a second time.',
    safeToClose: 'You can close this page: we will tell the shop the result.',
    auto: 'This page updates by itself.',
    check: 'Check the result',
  },
  paid: {
    title: 'Paid',
    what: 'The bank confirmed your payment.',
    already: 'This order is already paid',
    alreadyWhat: 'You do not have to pay again.',
    confirmation: 'The shop is receiving the confirmation now.',
    leaving: 'Taking you back to the shop in',
    seconds: 's',
    stay: 'Stay here',
  },
  refunded: { title: 'Money returned', what: 'The shop returned the payment for this order to the card.' },
  declined: {
    title: 'The payment did not go through',
    unknown: { what: 'The bank did not carry out the payment.', advice: ANOTHER_CARD },
  },
  cancelled: { title: 'Payment cancelled' },
  expired: { title: 'The time to pay is over' },
  noMoneyTaken: 'No money was taken.',
  failures: {
    INSUFFICIENT_FUNDS: {
      what: 'There is not enough money on the card.',
      advice: 'Top up the card or take another one, then go back to the shop and pay again.',
    },
    CARD_EXPIRED: { what: 'The card has expired.', advice: ANOTHER_CARD },
    CARD_BLOCKED: {
      what: 'The card is blocked.',
      advice: 'Ask the bank that issued the card why, or pay again with another card.',
    },
    INVALID_CARD_DETAILS: {
      what: 'The bank did not recognise the card: number, expiry date or security code are not right.',
      advice: 'Go back to the shop, pay again and compare the details with your card.',
    },
    CARD_NOT_SUPPORTED: { what: 'The shop does not take this kind of card.', advice: ANOTHER_CARD },
    LIMIT_EXCEEDED: {
      what: 'The amount is above the limit of your card.',
      advice: 'Change the limit in your bank’s app or take another card, then pay again.',
    },
    AUTHENTICATION_FAILED: {
      what: 'The payment was not confirmed on the bank’s page.',
      advice: 'Go back to the shop, pay again and confirm the payment on the bank’s page.',
    },
    DECLINED_BY_ISSUER: {
      what: 'The bank that issued the card refused the payment.',
      advice: 'Ask that bank why, or pay again with another card.',
    },
    FRAUD_SUSPECTED: {
      what: 'The bank stopped the payment to protect your card.',
      advice: 'Contact the bank that issued the card, or pay again with another card.',
    },
    CONSENT_REVOKED: { what: 'The consent to charge this card was withdrawn.', advice: ONCE_MORE },
    ISSUER_UNAVAILABLE: { what: 'The bank that issued the card did not answer.', advice: ONCE_MORE },
    PROCESSING_ERROR: { what: 'The bank could not carry out the payment.', advice: ONCE_MORE },
    CANCELLED_BY_CUSTOMER: {
      what: 'You cancelled the payment.',
      advice: 'If you change your mind, pay again from the shop.',
    },
    SESSION_EXPIRED: { what: 'This link no longer works.', advice: ONCE_MORE },
  },
  backToShop: 'Back to the shop',
  closeThisPage: 'You can close this page.',
  notFound: {
    title: 'Page not found',
    what: 'There is no such payment link.',
    advice: 'Check that the address is complete, or open the link from the shop again.',
  },
  notFromOurPage: {
    title: 'Request refused',
    what: 'It came from somebody else’s page.',
    advice: 'Open the payment link from the shop and fill in the form there.',
  },
  unreadable: {
    title: 'Request refused',
    what: 'It could not be read.',
    advice: 'Open the payment link from the shop again.',
  },
  trouble: {
    title: 'This page could not be opened',
    what: 'Something went wrong on our side, and we know about it.',
    advice:
      'Reload the page in a minute: it shows whether the payment went through. Please do not pay again before you see the result.',
  },
  reference: 'Reference',
};
