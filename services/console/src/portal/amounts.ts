/** An amount as the partner API writes it: a number. Quotes inside of JSON strings are escaped, so this is a member. */
const AMOUNT_NUMBER = /("amount":)(\d+(?:\.\d+)?)(?=[,}])/g;

/** The same JSON with each member `amount` as a string: a page that reads a number could lose a kopeck. */
export const withAmountsAsText = (json: string): string => json.replace(AMOUNT_NUMBER, '$1"$2"');
